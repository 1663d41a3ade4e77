package files

import (
	"errors"
	"fmt"
)

// PutAll puts all texts, or none: when one cannot be put, those before it get back what was there,
// by the same file that it was. Anyone who looks meanwhile may see some of the files changed and
// others not; a process that is killed meanwhile leaves that, and beside each file that it changed
// the one that was there, named .claimbridge-*.
func PutAll(all []*Staged) (err error) {
	var put []*Staged
	defer func() {
		for i := len(put) - 1; i >= 0 && err != nil; i-- {
			if back := put[i].back(); back != nil {
				err = errors.Join(err, fmt.Errorf("%w; what was there is in %s", back, put[i].shown(put[i].backup)))
				put[i].backup = "" // it is all there is
			}
		}
		for _, s := range all {
			s.Discard()
			if s.backup != "" {
				_ = s.from.Remove(s.backup) // there is nothing more to be done about it
			}
		}
	}()
	for _, s := range all {
		if err := s.keep(); err != nil {
			return s.plain(err)
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
	if backup := s.temporary + "-was"; s.from.Link(s.path, backup) == nil {
		s.backup = backup
		return nil
	}
	text, _, err := Read(s.Place) // there are file systems without links
	if err == nil {
		s.backup, err = s.write(text, s.was.Mode().Perm())
	}
	return err
}

// back puts what was there in its place again.
func (s *Staged) back() error {
	if s.was == nil {
		return s.plain(s.from.Remove(s.path))
	}
	if err := s.from.Rename(s.backup, s.path); err != nil {
		return s.plain(err)
	}
	s.backup = ""
	return nil
}
