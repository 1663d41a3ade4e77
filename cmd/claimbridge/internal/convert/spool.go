package convert

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

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

// passOn what a temporary file holds.
func passOn(held *os.File, to io.Writer) error {
	if _, err := held.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("--atomic: %w", err)
	}
	_, err := io.Copy(to, held)
	return err
}
