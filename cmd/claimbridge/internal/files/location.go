package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Place of a file: its name, and the folder that it is reached from.
type Location struct {
	Name     string // as it was given, for messages
	realName string // the same without links, as far as it is known
	path     string // below the folder
	ops      *operations
	// Waits is set for what was named and is no regular file: opening a pipe waits for whoever writes to it.
	MayBlock bool
}

// At is the place of a file that was named, which links may lead to.
func At(name string) Location {
	return Location{Name: name, realName: name, path: name, ops: hostOperations}
}

// Below is the place of a file that was found: a path without links below a folder. If somebody
// puts a link on the way to it later, that does not lead out of the folder.
func Below(root *Root, path, name, realName string) Location {
	return Location{Name: name, realName: realName, path: path, ops: &root.operations}
}

// folder is what is asked of one.
type operations struct {
	OpenFile     func(name string, flag int, mode fs.FileMode) (*os.File, error)
	Stat         func(name string) (fs.FileInfo, error)
	Link, Rename func(was, is string) error
	Remove       func(name string) error
}

// anywhere is the file system.
var hostOperations = &operations{os.OpenFile, os.Stat, os.Link, os.Rename, os.Remove}

var errIrregular = errors.New("is not a regular file, so it is unchanged")

// Open the file to read it. One that has become a pipe since it was listed is not waited for.
func (p Location) Open() (*os.File, error) {
	flag := os.O_RDONLY
	if !p.MayBlock {
		flag |= nonblocking
	}
	f, err := p.ops.OpenFile(p.path, flag, 0)
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		at.Path = p.Name
	}
	if err != nil || p.MayBlock {
		return f, err
	}
	if info, err := f.Stat(); err == nil && (info.Mode().IsRegular() || info.IsDir()) { // of a folder reading says so
		return f, nil
	}
	_ = f.Close() // nothing was read
	return nil, &fs.PathError{Op: "open", Path: p.Name, Err: errIrregular}
}

// plain leaves out which call of the operating system failed, and names files as messages do.
func (p Location) plainError(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", p.displayName(at.Path), at.Err)
	}
	if at, ok := errors.AsType[*os.LinkError](err); ok {
		return fmt.Errorf("%s: %w", p.displayName(at.New), at.Err)
	}
	return err
}

// shown is how messages name the file, or another one beside it.
func (p Location) displayName(path string) string {
	switch path {
	case p.Name:
		return p.Name
	case p.path:
		return p.realName
	}
	return filepath.Join(filepath.Dir(p.realName), filepath.Base(path))
}
