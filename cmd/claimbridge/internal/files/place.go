package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Place of a file: its name, and the folder that it is reached from.
type Place struct {
	Name string // as it was given, for messages
	real string // the same without links, as far as it is known
	path string // below the folder
	from *folder
	// Waits is set for what was named and is no regular file: opening a pipe waits for whoever writes to it.
	Waits bool
}

// At is the place of a file that was named, which links may lead to.
func At(name string) Place { return Place{Name: name, real: name, path: name, from: anywhere} }

// Below is the place of a file that was found: a path without links below a folder. If somebody
// puts a link on the way to it later, that does not lead out of the folder.
func Below(top *Top, path, name, realName string) Place {
	return Place{Name: name, real: realName, path: path, from: &top.folder}
}

// folder is what is asked of one.
type folder struct {
	OpenFile     func(name string, flag int, mode fs.FileMode) (*os.File, error)
	Stat         func(name string) (fs.FileInfo, error)
	Link, Rename func(was, is string) error
	Remove       func(name string) error
}

// anywhere is the file system.
var anywhere = &folder{os.OpenFile, os.Stat, os.Link, os.Rename, os.Remove}

var errIrregular = errors.New("is not a regular file, so it is unchanged")

// Open the file to read it. One that has become a pipe since it was listed is not waited for.
func (p Place) Open() (*os.File, error) {
	flag := os.O_RDONLY
	if !p.Waits {
		flag |= nonblocking
	}
	f, err := p.from.OpenFile(p.path, flag, 0)
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		at.Path = p.Name
	}
	if err != nil || p.Waits {
		return f, err
	}
	if info, err := f.Stat(); err == nil && (info.Mode().IsRegular() || info.IsDir()) { // of a folder reading says so
		return f, nil
	}
	_ = f.Close() // nothing was read
	return nil, &fs.PathError{Op: "open", Path: p.Name, Err: errIrregular}
}

// plain leaves out which call of the operating system failed, and names files as messages do.
func (p Place) plain(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", p.shown(at.Path), at.Err)
	}
	if at, ok := errors.AsType[*os.LinkError](err); ok {
		return fmt.Errorf("%s: %w", p.shown(at.New), at.Err)
	}
	return err
}

// shown is how messages name the file, or another one beside it.
func (p Place) shown(path string) string {
	switch path {
	case p.Name:
		return p.Name
	case p.path:
		return p.real
	}
	return filepath.Join(filepath.Dir(p.real), filepath.Base(path))
}
