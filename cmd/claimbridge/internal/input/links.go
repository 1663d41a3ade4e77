package input

import (
	"fmt"
	"path/filepath"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/ignore"
)

// Links in a folder are anybody's who may write to it, and need not be those of whoever runs the program: one that leads elsewhere would
// have a file of theirs copied, or written to. So a link is followed as far as the Git repository of the folder that was named, where
// bases and overlays share files, and no further than that folder where it is in none.

// follows reports whether what a link leads to is read. What leads out is an error; what is left out by its own name is none.
func (w *walk) follows(link string) (bool, error) {
	if w.top == "" {
		top, err := topOf(w.named)
		if err != nil {
			return false, err
		}
		w.top = top
	}
	target, err := resolved(link)
	if err != nil {
		return false, err
	}
	if below, err := filepath.Rel(w.top, target); err != nil || !filepath.IsLocal(below) { // there may be no way from one to the other
		why := fmt.Errorf("is a link to %s, which is outside of %s, skipped; name the file itself to have it read", target, w.top)
		return false, &SkippedError{error: &FileError{link, why}}
	}
	left, err := w.Ignore.LeavesOutNamed(target, false)
	return !left, err
}

// topOf a folder is that of its Git repository, or the folder itself.
func topOf(folder string) (string, error) {
	folder, err := resolved(folder)
	if err != nil {
		return "", err
	}
	if top, found := ignore.Repository(folder); found {
		return top, nil
	}
	return folder, nil
}

// resolved is the path that has no links in it.
func resolved(path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}
