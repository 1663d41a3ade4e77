package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Location is the name of a file and the way to reach it: from the working directory, or below a Root.
type Location struct {
	Name     string // as the user or the walk names it, for messages
	realName string // the name without links, if it is known
	path     string // the path in files
	files    fileSystem
	// MayBlock is set for a file that the user named and that is not regular: opening a pipe waits for its writer.
	MayBlock bool
}

// At returns the location of a file that the user named. Links to it are followed.
func At(name string) Location {
	return Location{Name: name, realName: name, path: name, files: host{}}
}

// Below returns the location of a file that was found below a directory. The path has no links. If a process replaces a
// part of it by a link later, that link does not lead out of the directory.
func Below(root *Root, path, name, realName string) Location {
	return Location{Name: name, realName: realName, path: path, files: root}
}

// fileSystem has the operations of package os that replacing a file needs.
type fileSystem interface {
	OpenFile(name string, flag int, mode fs.FileMode) (*os.File, error)
	Stat(name string) (fs.FileInfo, error)
	Link(oldName, newName string) error
	Rename(oldName, newName string) error
	Remove(name string) error
}

// host reaches any file of the host.
type host struct{}

func (host) OpenFile(name string, flag int, mode fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, mode) //nolint:gosec // the user names the file
}
func (host) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }
func (host) Link(oldName, newName string) error    { return os.Link(oldName, newName) }
func (host) Rename(oldName, newName string) error  { return os.Rename(oldName, newName) }
func (host) Remove(name string) error              { return os.Remove(name) }

var (
	errReadIrregular  = errors.New("is not a regular file, so it is not read")
	errWriteIrregular = errors.New("is not a regular file, so it is unchanged")
)

// Open opens the file for reading. It does not wait for a file that became a pipe after it was listed, but returns an
// error.
func (p Location) Open() (*os.File, error) {
	flag := os.O_RDONLY
	if !p.MayBlock {
		flag |= nonblocking
	}
	f, err := p.files.OpenFile(p.path, flag, 0)
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		pathErr.Path = p.Name
	}
	if err != nil || p.MayBlock {
		return f, err
	}
	// Reading a directory returns an error.
	if info, err := f.Stat(); err == nil && (info.Mode().IsRegular() || info.IsDir()) {
		return f, nil
	}
	_ = f.Close() // nothing was read
	return nil, &fs.PathError{Op: "open", Path: p.Name, Err: errReadIrregular}
}

// plainError returns an error without the operation that failed, and with the name that messages use.
func (p Location) plainError(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", p.displayName(pathErr.Path), pathErr.Err)
	}
	if linkErr, ok := errors.AsType[*os.LinkError](err); ok {
		return fmt.Errorf("%s: %w", p.displayName(linkErr.New), linkErr.Err)
	}
	return err
}

// displayName returns the name that messages use for a path: that of the file, or of a file beside it.
func (p Location) displayName(path string) string {
	switch path {
	case p.Name:
		return p.Name
	case p.path:
		return p.realName
	}
	return filepath.Join(filepath.Dir(p.realName), filepath.Base(path))
}
