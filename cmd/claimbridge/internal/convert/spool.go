package convert

import (
	"fmt"
	"io"
	"os"
)

// spool passes what is written to it on, or holds it in a temporary file until it is released. One pass over the input
// is enough that way, so it makes no difference whether it can be read twice.
type spool struct {
	to   io.Writer
	file *os.File
}

// hold what is written from now on, in a file that goes with the process, however that ends: it holds what handles hold.
func (s *spool) hold() (err error) {
	if s.file, err = temporary(); err != nil {
		return fmt.Errorf("--atomic: %w", err)
	}
	return nil
}

func (s *spool) Write(p []byte) (int, error) {
	if s.file != nil {
		return s.file.Write(p)
	}
	return s.to.Write(p)
}

// release what is held.
func (s *spool) release() error {
	if s.file == nil {
		return nil
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("--atomic: %w", err)
	}
	_, err := io.Copy(s.to, s.file)
	return err
}

// discard the temporary file. Nothing refers to it any more.
func (s *spool) discard() {
	if s.file != nil {
		_ = s.file.Close()
		s.file = nil
	}
}
