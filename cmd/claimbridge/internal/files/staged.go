package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Temporary is what the names of files begin with that a run makes beside others, and takes away again unless it is killed.
const Temporary = ".claimbridge-"

// Staged is a text that waits in a temporary file, in the folder of the file whose place it is to take.
type Staged struct {
	name      string // as it was given, for messages
	path      string // of the file itself, where the name is a link to it
	temporary string
	was       fs.FileInfo // nil when there was none
	backup    string
}

// Stage a text that is to become that of a file, with the file's mode and owner. What was there is as Read found it; nil stands for
// a file that is new, and then its mode is given. The text is on the disk then: a file system
// writes down its journal once for all that wait meanwhile, so that files are staged by many goroutines. A symbolic link stays, what it leads
// to is replaced. A file that may not be written to is not replaced, although its folder would allow that.
func Stage(name string, text []byte, was fs.FileInfo, mode fs.FileMode) (*Staged, error) {
	s := &Staged{name: name, path: name, was: was}
	if was != nil {
		if err := s.follow(); err != nil {
			return nil, plain(err)
		}
		mode = was.Mode()
		if err := writable(s.path, mode); err != nil {
			return nil, err
		}
	}
	var err error
	s.temporary, err = s.write(text, mode&(fs.ModePerm|fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky))
	if err != nil {
		s.Discard()
		return nil, plain(err)
	}
	return s, nil
}

// follow a symbolic link to the file. Links to folders above it need not be followed.
func (s *Staged) follow() error {
	info, err := os.Lstat(s.name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		s.path, err = filepath.EvalSymlinks(s.name)
	}
	return err
}

var errReadOnly = errors.New("is read-only, and is left as it is")

// writable tests what the owner of a folder could pass over.
func writable(path string, mode fs.FileMode) error {
	if mode.Perm()&0o222 == 0 { // root may write to it all the same
		return fmt.Errorf("%s: %w", path, errReadOnly)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return plain(err)
	}
	return f.Close()
}

// write a temporary file, with the owner and the attributes of the one that was there.
func (s *Staged) write(text []byte, mode fs.FileMode) (name string, err error) {
	f, err := os.CreateTemp(filepath.Dir(s.path), Temporary+"*")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(text); err != nil {
		return f.Name(), err
	}
	if s.was != nil {
		if err := keepOwner(f, s.was); err != nil {
			return f.Name(), fmt.Errorf("%s: %w", s.name, err)
		}
		keepAttributes(f, s.path)
	}
	if err := f.Chmod(mode); err != nil {
		return f.Name(), err
	}
	return f.Name(), f.Sync() // no test can tell: what it is for shows when the power fails
}

var errGroup = errors.New("has a group that a new file cannot be given, and is left as it is; convert it as its owner")

var errChanged = errors.New("was changed by somebody else meanwhile, and is left as it is")

// unchanged reports whether the file is still the one that was read.
func (s *Staged) unchanged() error {
	if s.was == nil {
		return nil
	}
	now, err := os.Stat(s.path)
	if err != nil {
		return plain(err)
	}
	if !os.SameFile(s.was, now) || now.Size() != s.was.Size() || !now.ModTime().Equal(s.was.ModTime()) {
		return fmt.Errorf("%s: %w", s.name, errChanged)
	}
	return nil
}

// Put the text in the place of the file.
func (s *Staged) Put() error {
	if err := s.unchanged(); err != nil {
		return err
	}
	if err := os.Rename(s.temporary, s.path); err != nil {
		return plain(err)
	}
	s.temporary = ""
	return nil
}

// Discard what was not put.
func (s *Staged) Discard() {
	if s.temporary != "" {
		_ = os.Remove(s.temporary) // there is nothing more to be done about it
		s.temporary = ""
	}
}
