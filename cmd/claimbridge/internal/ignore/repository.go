package ignore

import (
	"os"
	"path/filepath"
)

// Repository gives the top of the Git repository that a folder is in, if it is in one. The path is absolute.
func Repository(folder string) (top string, found bool) {
	for ; !isTop(folder); folder = filepath.Dir(folder) {
		if folder == filepath.Dir(folder) {
			return "", false
		}
	}
	return folder, true
}

// isTop reports whether a folder is the top of a repository.
func isTop(folder string) bool {
	_, err := os.Lstat(filepath.Join(folder, ".git")) // a file, in a work tree
	return err == nil
}
