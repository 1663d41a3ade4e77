package files

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// PutAll puts all texts, or none: when one cannot be put, those before it get back what was there, by the same file that it was.
// Whoever looks meanwhile may see some of the files changed and others not; a process that is killed meanwhile leaves that, and
// beside each file that it changed the one that was there, named .claimbridge-*.
func PutAll(all []*Staged) (err error) {
	var put []*Staged
	defer func() {
		for i := len(put) - 1; i >= 0 && err != nil; i-- {
			if back := put[i].back(); back != nil {
				err = errors.Join(err, fmt.Errorf("%w; what was there is in %s", back, put[i].backup))
				put[i].backup = "" // it is all there is
			}
		}
		for _, s := range all {
			s.Discard()
			if s.backup != "" {
				_ = os.Remove(s.backup) // there is nothing more to be done about it
			}
		}
	}()
	for _, s := range all {
		if err := s.keep(); err != nil {
			return plain(err)
		}
		if err := s.Put(); err != nil {
			return err
		}
		put = append(put, s)
	}
	return nil
}

// keep what is there under another name.
func (s *Staged) keep() error {
	if s.was == nil {
		return nil
	}
	f, err := os.CreateTemp(filepath.Dir(s.path), Temporary+"*")
	if err != nil {
		return err
	}
	s.backup = f.Name()
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Remove(s.backup); err != nil {
		return err
	}
	if os.Link(s.path, s.backup) == nil {
		return nil
	}
	return s.copy() // there are file systems without links
}

func (s *Staged) copy() (err error) {
	from, err := os.Open(s.path)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }() // it was only read
	to, err := os.OpenFile(s.backup, os.O_WRONLY|os.O_CREATE|os.O_EXCL, s.was.Mode().Perm())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	if err := keepOwner(to, s.was); err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	if err := to.Chmod(s.was.Mode()); err != nil { // the umask took some of it
		return err
	}
	if _, err := io.Copy(to, from); err != nil {
		return err
	}
	return to.Sync()
}

// back puts what was there in its place again.
func (s *Staged) back() error {
	if s.was == nil {
		return plain(os.Remove(s.path))
	}
	if err := os.Rename(s.backup, s.path); err != nil {
		return plain(err)
	}
	s.backup = ""
	return nil
}
