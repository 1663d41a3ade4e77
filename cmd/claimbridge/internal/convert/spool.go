package convert

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
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

// temporary is a file that is gone as soon as nobody has it open, after SIGKILL, too: it has no name any more. Windows takes none from a
// file that is open, and removes it when its last handle is closed, by FILE_FLAG_DELETE_ON_CLOSE, which os.OpenFile hands on.
func temporary() (*os.File, error) {
	const deleteOnClose, windows = 0x04000000, runtime.GOOS == "windows"
	flag := os.O_RDWR | os.O_CREATE | os.O_EXCL
	if windows {
		flag |= deleteOnClose
	}
	f, err := os.OpenFile(filepath.Join(os.TempDir(), "claimbridge-"+rand.Text()), flag, 0o600)
	if err != nil || windows {
		return f, err
	}
	if err := os.Remove(f.Name()); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
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

// discard the temporary file, if there is one. Nothing refers to it any more.
func (s *spool) discard() { _ = s.file.Close() }
