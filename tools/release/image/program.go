package main

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/claimbridge/claimbridge/tools/release/internal/tape"
)

// machines are the machine types in ELF files, by architecture.
var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

// read returns the programs. It is an error if a program cannot run in an image without other files: one for another
// platform, or one that is linked dynamically.
func (p program) read() (files []tape.Entry, err error) {
	for _, path := range p.paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if err := p.check(path); err != nil {
			return nil, fmt.Errorf("%s for %s/%s: %w", path, p.os, p.arch, err)
		}
		files = append(files, tape.Entry{Name: filepath.Base(path), Mode: 0o555, Content: content})
	}
	return files, nil
}

// check returns an error unless a file is a static program for the platform.
func (p program) check(path string) error {
	file, err := elf.Open(path)
	if err != nil {
		return fmt.Errorf("not an ELF file for Linux: %w", err)
	}
	defer func() { _ = file.Close() }()
	if file.Type != elf.ET_EXEC && file.Type != elf.ET_DYN {
		return fmt.Errorf("ELF type %s: must be an executable", file.Type)
	}
	if want := machines[p.arch]; file.Machine != want {
		return fmt.Errorf("is for another processor: %s, and should be for %s", file.Machine, want)
	}
	if slices.ContainsFunc(file.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		return errors.New("is linked dynamically, and the image has no linker and no library: build it with " +
			"CGO_ENABLED=0")
	}
	return nil
}
