package input

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/internal/files"
)

// Any user who may write to a directory can create a link in it. Through a link to a file outside of the directory, a
// private file of the caller could be copied or overwritten. So a link is followed within the Git repository of the
// directory, where bases and overlays share files, or within the directory itself if it is in no repository. A link
// that the user names is followed without a limit.

// followLink returns the location of the target of a link, and whether the walk includes it. A link out of the
// repository or directory is an error. A target in .git, and an excluded file, are not included.
func (w *walk) followLink(link string) (location files.Location, isIncluded bool, err error) {
	name, err := filepath.EvalSymlinks(link)
	if err != nil {
		return location, false, err
	}
	target, err := filepath.Abs(name)
	if err != nil {
		return location, false, err
	}
	below, err := pathBelow(w.root.Name, target, link)
	if err != nil {
		return location, false, err
	}
	isInGit := slices.Contains(strings.Split(filepath.ToSlash(below), "/"), ".git")
	return files.Below(w.root, below, link, name), !isInGit && !w.Exclude.matches(name), nil
}

// pathBelow returns the path of the target of a link below the root, or an error if it is not below. Neither path has
// links.
func pathBelow(root, target, link string) (below string, err error) {
	if below, err := filepath.Rel(root, target); err == nil && filepath.IsLocal(below) { // there may be none
		return below, nil
	}
	why := fmt.Errorf("is a link to %s, which is outside of %s, skipped; name the file itself to have it read", target,
		root)
	return "", &SkippedError{error: &FileError{link, why}}
}

// rootOf returns the root from which the files of a directory are reached: its Git repository, or the directory itself
// if the user may not read it through the repository. Below is the path of the directory in the root.
func rootOf(dir string) (root *files.Root, below string, err error) {
	dir, err = resolvePath(dir)
	if err != nil {
		return nil, "", err
	}
	if name, found := repositoryOf(dir); found {
		if root, err = files.OpenRoot(name); err == nil {
			below, err = filepath.Rel(name, dir)
		}
		if err == nil && root.CanOpen(below) {
			return root, below, nil
		}
	}
	root, err = files.OpenRoot(dir)
	return root, ".", err
}

// resolvePath returns the absolute path without links.
func resolvePath(path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}
