package files

import (
	"errors"
	"fmt"
)

// PutAll puts all texts, or none: when one cannot be put, those before it get back what was there,
// by the same file that it was. Anyone who looks meanwhile may see some of the files changed and
// others not; a process that is killed meanwhile leaves that, and beside each file that it changed
// the one that was there, named .claimbridge-*.
func ReplaceAll(staged []*Staged) (err error) {
	var replaced []*Staged
	defer func() {
		for i := len(replaced) - 1; i >= 0 && err != nil; i-- {
			if restoreErr := replaced[i].restore(); restoreErr != nil {
				backup := replaced[i].displayName(replaced[i].backup)
				err = errors.Join(err, fmt.Errorf("%w; what was there is in %s", restoreErr, backup))
				replaced[i].backup = "" // it is all there is
			}
		}
		for _, s := range staged {
			s.Discard()
			if s.backup != "" {
				_ = s.ops.Remove(s.backup) // there is nothing more to be done about it
			}
		}
	}()
	for _, s := range staged {
		if err := s.backUp(); err != nil {
			return s.plainError(err)
		}
		if err := s.Replace(); err != nil {
			return err
		}
		replaced = append(replaced, s)
	}
	return nil
}

// keep what is there under another name.
func (s *Staged) backUp() error {
	if s.oldInfo == nil {
		return nil
	}
	if backup := s.temporary + "-was"; s.ops.Link(s.path, backup) == nil {
		s.backup = backup
		return nil
	}
	text, _, err := Read(s.Location) // there are file systems without links
	if err == nil {
		s.backup, err = s.write(text, s.oldInfo.Mode().Perm())
	}
	return err
}

// back puts what was there in its place again.
func (s *Staged) restore() error {
	if s.oldInfo == nil {
		return s.plainError(s.ops.Remove(s.path))
	}
	if err := s.ops.Rename(s.backup, s.path); err != nil {
		return s.plainError(err)
	}
	s.backup = ""
	return nil
}
