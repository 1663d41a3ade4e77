package input

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/files"
)

// Links in a folder are anybody's who may write to it, and need not be those of the user who runs the
// program: one that leads elsewhere would have a file of theirs copied, or written to. So a link is
// followed as far as the Git repository of the folder that was named, where bases and overlays
// share files, and no further than that folder where it is in none. What is named is followed
// wherever it leads.

// follows reports whether what a link leads to is read, and where that is. A link that leads out of
// the repository or folder is an error. One that leads into .git, or to a file that is excluded, is
// left out.
func (w *walk) followLink(link string) (place files.Location, read bool, err error) {
	name, err := filepath.EvalSymlinks(link)
	if err != nil {
		return place, false, err
	}
	target, err := filepath.Abs(name)
	if err != nil {
		return place, false, err
	}
	below, err := pathBelow(w.root.Name, target, link)
	if err != nil {
		return place, false, err
	}
	isInGit := slices.Contains(strings.Split(filepath.ToSlash(below), "/"), ".git")
	return files.Below(w.root, below, link, name), !isInGit && !w.Exclude.matches(name), nil
}

// within is the path of the target of a link below top, and an error where it is not there. Both have no links in them.
func pathBelow(root, target, link string) (below string, err error) {
	if below, err := filepath.Rel(root, target); err == nil && filepath.IsLocal(below) {
		// there may be no way from one to the other
		return below, nil
	}
	why := fmt.Errorf("is a link to %s, which is outside of %s, skipped; name the file itself to have it read", target,
		root)
	return "", &SkippedError{error: &FileError{link, why}}
}

// topOf a folder is where its files are reached from: that of its Git repository, or the folder
// itself. Below is the path of the folder from there. Who may enter a folder need not be allowed to
// read it: then the top is the folder itself.
func rootOf(folder string) (root *files.Root, below string, err error) {
	folder, err = ResolvePath(folder)
	if err != nil {
		return nil, "", err
	}
	if name, found := repositoryOf(folder); found {
		if root, err = files.OpenRoot(name); err == nil {
			below, err = filepath.Rel(name, folder)
		}
		if err == nil && root.CanOpen(below) {
			return root, below, nil
		}
	}
	root, err = files.OpenRoot(folder)
	return root, ".", err
}

// Resolved is the path that has no links in it.
func ResolvePath(path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}
