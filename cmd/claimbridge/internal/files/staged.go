package files

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// Temporary is what the names of files begin with that a run makes beside others, and takes away
// again unless it is killed.
const TemporaryPrefix = ".claimbridge-"

// Staged is a text that waits in a temporary file, in the folder of the file whose place it is to take.
type Staged struct {
	Location
	temporary, backup string      // empty where there is none
	oldInfo           fs.FileInfo // nil when there was none
}

// Stage a text that is to become that of a file, with the permissions of the file. What was there
// is as Read found it; nil stands for a file that is new, and then its mode is given. The text is
// on the disk then: a file system writes down its journal once for all that wait meanwhile, so that
// files are staged by many goroutines. A symbolic link stays, what it leads to is replaced. A file
// that may not be written to is not replaced, although its folder would allow that.
func Stage(at Location, text []byte, oldInfo fs.FileInfo, mode fs.FileMode) (*Staged, error) {
	s := &Staged{Location: at, oldInfo: oldInfo}
	var err error
	if oldInfo != nil {
		mode = oldInfo.Mode()
		err = s.resolveLink()
	}
	if err == nil {
		s.temporary, err = s.write(text, mode.Perm())
	}
	if err != nil {
		s.Discard()
		return nil, s.plainError(err)
	}
	return s, nil
}

// follow a symbolic link that was named to the file. Links to folders above it need not be followed.
func (s *Staged) resolveLink() error {
	if s.ops != hostOperations {
		return nil
	}
	info, err := os.Lstat(s.path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		s.path, err = filepath.EvalSymlinks(s.path)
		s.realName = s.path
	}
	return err
}

// checkWritable returns an error where the file that was there may not be written to, which the
// owner of its folder could replace all the same.
func (s *Staged) checkWritable() error {
	if !s.oldInfo.Mode().IsRegular() {
		return fmt.Errorf("%s: %w", s.realName, errIrregular)
	}
	if s.oldInfo.Mode().Perm()&0o222 == 0 { // root may write to it all the same
		return fmt.Errorf("%s: is read-only, so it is unchanged", s.realName)
	}
	f, err := s.ops.OpenFile(s.path, os.O_WRONLY|nonblocking, 0)
	if err != nil {
		return err
	}
	_ = f.Close() // nothing was written to it
	return nil
}

// write a temporary file. Its bits for setuid and setgid are not those of the file that was there,
// as its owner need not be.
func (s *Staged) write(text []byte, mode fs.FileMode) (name string, err error) {
	if s.oldInfo != nil {
		if err := s.checkWritable(); err != nil {
			return "", err
		}
	}
	//nolint:gosec // a name that is taken is an error
	name = filepath.Join(filepath.Dir(s.path), TemporaryPrefix+strconv.FormatUint(rand.Uint64(), 10))
	f, err := s.ops.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(text); err != nil {
		return name, err
	}
	if err := f.Chmod(mode); err != nil {
		return name, err
	}
	return name, f.Sync() // no test can tell: what it is for shows when the power fails
}

// Put the text in the place of the file, which must still be the one that was read.
func (s *Staged) Replace() error {
	if s.oldInfo != nil {
		now, err := s.ops.Stat(s.path)
		if err != nil {
			return s.plainError(err)
		}
		if !os.SameFile(s.oldInfo, now) || now.Size() != s.oldInfo.Size() || !now.ModTime().Equal(s.oldInfo.ModTime()) {
			return fmt.Errorf("%s: was changed by another process during the run, so it is unchanged", s.Name)
		}
	}
	if err := s.ops.Rename(s.temporary, s.path); err != nil {
		return s.plainError(err)
	}
	s.temporary = ""
	return nil
}

// Discard what was not put.
func (s *Staged) Discard() {
	if s.temporary != "" {
		_ = s.ops.Remove(s.temporary) // there is nothing more to be done about it
		s.temporary = ""
	}
}
