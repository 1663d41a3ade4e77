package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// isFree reports whether the output does not exist, or is empty. The program never removes existing files.
func (r *release) isFree() error {
	files, err := os.ReadDir(r.output)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	if len(files) > 0 {
		return fmt.Errorf("--output=%s: %s is in it: remove it or move it away, or name another folder", r.output,
			files[0].Name())
	}
	return nil
}

// replace an empty folder, or what is not there, by another one beside it. A folder with something
// in it stays, since it cannot be removed.
func replace(staging, output string) error {
	if err := os.Remove(output); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--output: %w", err)
	}
	return os.Rename(staging, output)
}
