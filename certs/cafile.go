package certs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// writeCA replaces a file atomically, so that no reader sees half of a CA. The file is world-readable, because a
// certificate is not a secret.
func writeCA(path string, pem []byte) error {
	if was, err := os.Stat(path); err == nil && !was.Mode().IsRegular() {
		return fmt.Errorf("write the CA to %s: it is not a file", path)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("write the CA: %w", err)
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return fmt.Errorf("write the CA: %w", err)
	}
	_, err = temporary.Write(pem)
	if err = errors.Join(err, temporary.Chmod(0o644), temporary.Sync(), temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temporary.Name())
		return fmt.Errorf("write the CA: %w", err)
	}
	return nil
}
