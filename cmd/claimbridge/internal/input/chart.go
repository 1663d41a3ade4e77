package input

import (
	"os"
	"path/filepath"
)

// InChart reports whether a file is one of those that a chart renders.
func InChart(file string) bool {
	if file == StandardInput {
		return false
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return false
	}
	for folder := filepath.Dir(file); folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		if filepath.Base(folder) != "templates" {
			continue
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(folder), "Chart.yaml")); err == nil {
			return true
		}
	}
	return false
}
