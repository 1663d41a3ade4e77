package certificates

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// writeCA replaces a file in one step, so that nobody reads half of a CA. A certificate is no secret: all may read it.
func writeCA(path string, pem []byte) (err error) {
	switch was, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("write the CA: %w", err)
	case !was.Mode().IsRegular():
		return fmt.Errorf("write the CA to %s: it is not a file", path)
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return fmt.Errorf("write the CA: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temporary.Name())
		}
	}()
	_, err = temporary.Write(pem)
	if err = errors.Join(err, temporary.Chmod(0o644), temporary.Sync(), temporary.Close()); err != nil {
		return fmt.Errorf("write the CA: %w", err)
	}
	if err = os.Rename(temporary.Name(), path); err != nil {
		return fmt.Errorf("write the CA: %w", err)
	}
	return nil
}
