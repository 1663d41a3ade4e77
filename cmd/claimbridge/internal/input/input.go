// Package input reads what a command line names: files, folders and standard input, document by document.
package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
)

// Input names the files to read.
type Input struct {
	Files []string // paths of files and folders, and - for standard input
	// Recursive is set to read folders with their subfolders.
	Recursive bool
	// Watch is put around every reader, when it is set.
	Watch func(io.Reader) io.Reader
	// Unparsed documents are given as they are found, for another goroutine to parse.
	Unparsed bool
}

// Each calls do for every document of every file in turn. What cannot be read is given to failed, and so is, as a
// *SkippedError, what is not read for good reason; the rest goes on. An error of do ends it.
func (in *Input) Each(stdin io.Reader, failed func(error), do func(*manifest.Document) error) error {
	for _, name := range in.Files {
		if name == "-" {
			if err := in.documents(stdin, "standard input", failed, do); err != nil {
				return err
			}
			continue
		}
		paths, err := in.expand(name, failed)
		if err != nil {
			failed(plainPath(err))
			continue
		}
		for _, path := range paths {
			if err := in.file(path, failed, do); err != nil {
				return err
			}
		}
	}
	return nil
}

func (in *Input) file(path string, failed func(error), do func(*manifest.Document) error) error {
	f, err := os.Open(path)
	if err != nil {
		failed(plainPath(err))
		return nil
	}
	defer func() { _ = f.Close() }() // it was only read
	return in.documents(f, path, failed, do)
}

func (in *Input) documents(r io.Reader, name string, failed func(error), do func(*manifest.Document) error) error {
	if in.Watch != nil {
		r = in.Watch(r)
	}
	reader := manifest.NewReader(r, name)
	next := reader.Next
	if in.Unparsed {
		next = reader.Find
	}
	for {
		d, err := next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			failed(plainPath(err))
			if _, more := errors.AsType[*manifest.DocumentError](err); !more {
				return nil
			}
			continue
		}
		if err := do(d); err != nil {
			return err
		}
	}
}

// expand a folder to the files in it, in lexical order. A file that is named stands for itself, whatever its name, and
// whatever it is: a named pipe, say. In a folder such a thing is skipped, since reading it might wait for ever.
func (in *Input) expand(name string, failed func(error)) (paths []string, err error) {
	skipped := false
	err = filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == name && !entry.IsDir():
			paths = append(paths, path)
		case entry.IsDir() && path != name && !in.Recursive:
			return fs.SkipDir
		case !entry.IsDir() && slices.Contains([]string{".json", ".yaml", ".yml"}, strings.ToLower(filepath.Ext(path))):
			// What cannot be looked at is for opening it to say.
			if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
				skipped = true
				failed(&SkippedError{fmt.Errorf("%s: is %s, skipped; name it with -f to read it", path, irregular(info.Mode()))})
				return nil
			}
			paths = append(paths, path)
		}
		return nil
	})
	if err == nil && len(paths) == 0 && !skipped {
		err = fmt.Errorf("%s: no *.json, *.yaml or *.yml in this folder", name)
	}
	return paths, err
}

// SkippedError says why something was not read, which is no failure.
type SkippedError struct{ error }

func irregular(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "no regular file"
}

// plainPath leaves out which call of the operating system failed, and names the file once: "lstat a: no such file" says
// nothing more than "a: no such file".
func plainPath(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", at.Path, at.Err)
	}
	return err
}
