package files

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
)

// Root is a directory whose files are reached without leaving it. Since a user may name any number of directories, it
// is not held open: each operation opens it, and fails if it is not the same directory any more.
type Root struct {
	Name string
	info fs.FileInfo
}

// OpenRoot opens a directory for the first time, and remembers which one it is.
func OpenRoot(name string) (*Root, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	info, err := root.Stat(".")
	return &Root{Name: name, info: info}, cmp.Or(err, root.Close())
}

var errReplaced = errors.New("was replaced by another directory during the run, so its files are neither read nor " +
	"written")

func (r *Root) withRoot(do func(*os.Root) error) error {
	root, err := os.OpenRoot(r.Name)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // nothing was written to it
	if now, err := root.Stat("."); err != nil || !os.SameFile(r.info, now) {
		return cmp.Or(err, error(&fs.PathError{Op: "open", Path: r.Name, Err: errReplaced}))
	}
	return do(root)
}

// CanOpen reports whether a file or directory below the root can be read.
func (r *Root) CanOpen(name string) bool {
	f, err := r.OpenFile(name, os.O_RDONLY, 0)
	return err == nil && f.Close() == nil
}

// OpenFile is [os.Root.OpenFile].
func (r *Root) OpenFile(name string, flag int, mode fs.FileMode) (f *os.File, err error) {
	err = r.withRoot(func(root *os.Root) error { f, err = root.OpenFile(name, flag, mode); return err })
	return f, err
}

// Stat is [os.Root.Stat].
func (r *Root) Stat(name string) (info fs.FileInfo, err error) {
	err = r.withRoot(func(root *os.Root) error { info, err = root.Stat(name); return err })
	return info, err
}

// Link is [os.Root.Link].
func (r *Root) Link(oldName, newName string) error {
	return r.withRoot(func(root *os.Root) error { return root.Link(oldName, newName) })
}

// Rename is [os.Root.Rename].
func (r *Root) Rename(oldName, newName string) error {
	return r.withRoot(func(root *os.Root) error { return root.Rename(oldName, newName) })
}

// Remove is [os.Root.Remove].
func (r *Root) Remove(name string) error {
	return r.withRoot(func(root *os.Root) error { return root.Remove(name) })
}
