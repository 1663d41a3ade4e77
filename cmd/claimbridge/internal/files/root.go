package files

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
)

// Root is a folder whose files are reached without leaving it. Since a user may name any number of folders, it is not
// held open: each operation opens it, and fails if it is not the same folder any more.
type Root struct {
	Name string
	operations
	info fs.FileInfo
}

// OpenRoot opens a folder for the first time, and remembers which one it is.
func OpenRoot(name string) (*Root, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	info, err := root.Stat(".")
	t := &Root{Name: name, info: info}
	link, rename := t.withTwoNames((*os.Root).Link), t.withTwoNames((*os.Root).Rename)
	t.operations = operations{t.openFile, t.stat, link, rename, t.remove}
	return t, cmp.Or(err, root.Close())
}

var errReplaced = errors.New("is another folder than it was, and nothing is done in it")

func (t *Root) withRoot(do func(*os.Root) error) error {
	root, err := os.OpenRoot(t.Name)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // nothing was written to it
	if now, err := root.Stat("."); err != nil || !os.SameFile(t.info, now) {
		return cmp.Or(err, error(&fs.PathError{Op: "open", Path: t.Name, Err: errReplaced}))
	}
	return do(root)
}

// CanOpen reports whether a file or folder below the root can be read.
func (t *Root) CanOpen(name string) bool {
	f, err := t.openFile(name, os.O_RDONLY, 0)
	return err == nil && f.Close() == nil
}

func (t *Root) openFile(name string, flag int, mode fs.FileMode) (f *os.File, err error) {
	err = t.withRoot(func(root *os.Root) error { f, err = root.OpenFile(name, flag, mode); return err })
	return f, err
}

func (t *Root) stat(name string) (info fs.FileInfo, err error) {
	err = t.withRoot(func(root *os.Root) error { info, err = root.Stat(name); return err })
	return info, err
}

func (t *Root) remove(name string) error {
	return t.withRoot(func(root *os.Root) error { return root.Remove(name) })
}

// withTwoNames returns an operation on two names in the root.
func (t *Root) withTwoNames(do func(root *os.Root, was, is string) error) func(was, is string) error {
	return func(was, is string) error { return t.withRoot(func(root *os.Root) error { return do(root, was, is) }) }
}
