package files

import (
	"errors"
	"fmt"
)

// ReplaceAll replaces all files, or none. When a file cannot be replaced, the files before it are restored, as the same
// inodes where the file system has links. Another process may see some files replaced and others not. A process that is
// killed leaves that state, with the old content of each replaced file beside it in a file named .claimbridge-*.
func ReplaceAll(staged []*Staged) (err error) {
	var replaced []*Staged
	defer func() {
		for i := len(replaced) - 1; i >= 0 && err != nil; i-- {
			if restoreErr := replaced[i].restore(); restoreErr != nil {
				backup := replaced[i].displayName(replaced[i].backup)
				const notRestored = "%w; the file could not be restored: copy its original content back from %s"
				err = errors.Join(err, fmt.Errorf(notRestored, restoreErr, backup))
				replaced[i].backup = "" // the only copy: it is not removed
			}
		}
		for _, s := range staged {
			s.Discard()
			if s.backup != "" {
				_ = s.files.Remove(s.backup) // a backup that stays does no harm
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

// backUp keeps the current file under another name.
func (s *Staged) backUp() error {
	if s.oldInfo == nil {
		return nil
	}
	if backup := s.temporary + "-was"; s.files.Link(s.path, backup) == nil {
		s.backup = backup
		return nil
	}
	text, _, err := Read(s.Location) // the file system may not support links
	if err == nil {
		s.backup, err = s.write(text, s.oldInfo.Mode().Perm())
	}
	return err
}

// restore moves the backup of a file back, or removes a file that is new.
func (s *Staged) restore() error {
	if s.oldInfo == nil {
		return s.plainError(s.files.Remove(s.path))
	}
	if err := s.files.Rename(s.backup, s.path); err != nil {
		return s.plainError(err)
	}
	s.backup = ""
	return nil
}
