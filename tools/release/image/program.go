package main

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/claimbridge/claimbridge/tools/release/internal/tarfile"
)

// elfMachines are the machine types of ELF files by architecture.
var elfMachines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

// readFiles returns the files of the programs. A program for another platform, or one that is dynamically linked, is an
// error, because the image could not run it.
func (p program) readFiles() (files []tarfile.Entry, err error) {
	for _, path := range p.paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if err := p.check(path); err != nil {
			return nil, fmt.Errorf("%s for %s/%s: %w", path, p.os, p.arch, err)
		}
		files = append(files, tarfile.Entry{Name: filepath.Base(path), Mode: 0o555, Content: content})
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
	if want := elfMachines[p.arch]; file.Machine != want {
		return fmt.Errorf("built for another processor: got %s, want %s", file.Machine, want)
	}
	if slices.ContainsFunc(file.Progs, func(header *elf.Prog) bool { return header.Type == elf.PT_INTERP }) {
		return errors.New("dynamically linked, but the image has no dynamic linker and no libraries: build it " +
			"with CGO_ENABLED=0")
	}
	return nil
}
