package files

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
)

// Top is a folder that files are reached from, and nothing leads out of. As people name any number
// of them it is not held open, but opened for each thing that is done in it, and has to be the one
// that it was.
type Top struct {
	Name string
	folder
	was fs.FileInfo
}

// OpenTop opens a folder for the first time.
func OpenTop(name string) (*Top, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	info, err := root.Stat(".")
	t := &Top{Name: name, was: info}
	t.folder = folder{t.openFile, t.stat, t.two((*os.Root).Link), t.two((*os.Root).Rename), t.remove}
	return t, cmp.Or(err, root.Close())
}

var errAnother = errors.New("is another folder than it was, and nothing is done in it")

func (t *Top) in(do func(*os.Root) error) error {
	root, err := os.OpenRoot(t.Name)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // nothing was written to it
	if now, err := root.Stat("."); err != nil || !os.SameFile(t.was, now) {
		return cmp.Or(err, error(&fs.PathError{Op: "open", Path: t.Name, Err: errAnother}))
	}
	return do(root)
}

// Opens reports whether a folder below can be read.
func (t *Top) Opens(name string) bool {
	f, err := t.openFile(name, os.O_RDONLY, 0)
	return err == nil && f.Close() == nil
}

func (t *Top) openFile(name string, flag int, mode fs.FileMode) (f *os.File, err error) {
	err = t.in(func(root *os.Root) error { f, err = root.OpenFile(name, flag, mode); return err })
	return f, err
}

func (t *Top) stat(name string) (info fs.FileInfo, err error) {
	err = t.in(func(root *os.Root) error { info, err = root.Stat(name); return err })
	return info, err
}

func (t *Top) remove(name string) error {
	return t.in(func(root *os.Root) error { return root.Remove(name) })
}

// two names are what is done with.
func (t *Top) two(do func(root *os.Root, was, is string) error) func(was, is string) error {
	return func(was, is string) error { return t.in(func(root *os.Root) error { return do(root, was, is) }) }
}
