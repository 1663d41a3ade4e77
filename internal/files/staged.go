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

// TemporaryPrefix begins the names of temporary files. They are removed at the end of a run, unless it is killed.
const TemporaryPrefix = ".claimbridge-"

// Staged is a text in a temporary file, in the same directory as the file that it will replace.
type Staged struct {
	Location
	temporary, backup string      // empty if there is no such file
	oldInfo           fs.FileInfo // nil for a new file
}

// Stage writes a text to a temporary file that can replace a file, with the permissions of that file. oldInfo is the
// result of Read. A symbolic link is kept, and its target is replaced. A file that the user may not write is an error,
// even if the user may write to its directory, which would be enough to replace the file.
//
// The text is synced to the disk, which is slow. Many goroutines should stage files at the same time, because a file
// system commits its journal once for all of them.
func Stage(at Location, text []byte, oldInfo fs.FileInfo) (*Staged, error) {
	s := &Staged{Location: at, oldInfo: oldInfo}
	if err := s.resolveLink(); err != nil {
		return nil, s.plainError(err)
	}
	return s.stage(text, oldInfo.Mode())
}

// StageNew is Stage for a new file, which gets the permissions of the mode.
func StageNew(at Location, text []byte, mode fs.FileMode) (*Staged, error) {
	s := &Staged{Location: at}
	return s.stage(text, mode)
}

func (s *Staged) stage(text []byte, mode fs.FileMode) (_ *Staged, err error) {
	if s.temporary, err = s.write(text, mode.Perm()); err != nil {
		s.Discard()
		return nil, s.plainError(err)
	}
	return s, nil
}

// resolveLink follows a symbolic link that the user named. Links in the path above it need not be resolved.
func (s *Staged) resolveLink() error {
	if s.files != (host{}) {
		return nil
	}
	info, err := os.Lstat(s.path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		s.path, err = filepath.EvalSymlinks(s.path)
		s.realName = s.path
	}
	return err
}

// IsReadOnly reports whether a file has no write permission for any user. Stage rejects such a file, even for root.
// Standard input has no information.
func IsReadOnly(info fs.FileInfo) bool { return info != nil && info.Mode().Perm()&0o222 == 0 }

// checkWritable returns an error if the user may not write the existing file, even if they could replace it as the
// owner of its directory.
func (s *Staged) checkWritable() error {
	if !s.oldInfo.Mode().IsRegular() {
		return fmt.Errorf("%s: %w", s.realName, errWriteIrregular)
	}
	if IsReadOnly(s.oldInfo) {
		return fmt.Errorf("%s: is read-only, so it is unchanged", s.realName)
	}
	f, err := s.files.OpenFile(s.path, os.O_WRONLY|nonblocking, 0)
	if err != nil {
		return err
	}
	_ = f.Close() // nothing was written to it
	return nil
}

// write writes a temporary file. It does not get the setuid and setgid bits of the existing file, which may have
// another owner.
func (s *Staged) write(text []byte, mode fs.FileMode) (name string, err error) {
	if s.oldInfo != nil {
		if err := s.checkWritable(); err != nil {
			return "", err
		}
	}
	//nolint:gosec // a name that is taken is an error
	name = filepath.Join(filepath.Dir(s.path), TemporaryPrefix+strconv.FormatUint(rand.Uint64(), 10))
	f, err := s.files.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
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
	return name, f.Sync() // cannot be tested: it matters when the power fails
}

// Replace replaces the file with the text. It is an error if the file is not the one that was read.
func (s *Staged) Replace() error {
	if s.oldInfo != nil {
		now, err := s.files.Stat(s.path)
		if err != nil {
			return s.plainError(err)
		}
		if !os.SameFile(s.oldInfo, now) || now.Size() != s.oldInfo.Size() || !now.ModTime().Equal(s.oldInfo.ModTime()) {
			return fmt.Errorf("%s: was changed by another process during the run, and is not overwritten: "+
				"run the command again", s.Name)
		}
	}
	if err := s.files.Rename(s.temporary, s.path); err != nil {
		return s.plainError(err)
	}
	s.temporary = ""
	return nil
}

// Discard removes the temporary file, if it did not replace its file.
func (s *Staged) Discard() {
	if s.temporary != "" {
		_ = s.files.Remove(s.temporary) // a temporary file that stays does no harm
		s.temporary = ""
	}
}
