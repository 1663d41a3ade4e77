package files

import (
	"errors"

	"golang.org/x/sync/errgroup"
)

// waits are how many files wait for the disk at a time. A file system writes down its journal once for all that wait meanwhile, and so does
// a disk with its own memory.
const waits = 16

// Sync waits until texts are on the disk. To wait for many together takes little more than to wait for one. What goes wrong is told by Put.
func Sync(all []*Staged) {
	var group errgroup.Group
	group.SetLimit(waits)
	for _, s := range all {
		group.Go(func() error {
			s.sync()
			return nil
		})
	}
	_ = group.Wait() // each keeps its own
}

// sync closes the temporary file when its text is on the disk. No test can tell that it is: what it is for shows when the power fails.
func (s *Staged) sync() {
	if s.file != nil {
		s.err = plain(errors.Join(s.file.Sync(), s.file.Close()))
		s.file = nil
	}
}
