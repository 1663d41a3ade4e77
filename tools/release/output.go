package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// checkOutput returns an error if the output folder has files. The program never deletes a user's files.
func (r *release) checkOutput() error {
	files, err := os.ReadDir(r.output)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	if len(files) > 0 {
		return fmt.Errorf("--output=%s: not empty (contains %s): use an empty or new folder", r.output,
			files[0].Name())
	}
	return nil
}

// moveToOutput renames staging to output, which must be an empty folder or not exist. A folder with files is an error,
// because os.Remove does not delete it.
func moveToOutput(staging, output string) error {
	if err := os.Remove(output); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--output: %w", err)
	}
	return os.Rename(staging, output)
}
