package input

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/ignore"
)

// Links in a folder are anybody's who may write to it, and need not be those of whoever runs the program: one that leads elsewhere would
// have a file of theirs copied, or written to. So a link is followed as far as the Git repository of the folder that was named, where
// bases and overlays share files, and no further than that folder where it is in none. What people name is theirs to name; programs that
// name files for them, and say so by ForceExclude, name what is in a repository.

// follows reports whether what a link leads to is read, and where that is. What leads out is an error; what is left out by its own name is none.
func (w *walk) follows(link string) (place files.Place, read bool, err error) {
	name, err := filepath.EvalSymlinks(link)
	if err != nil {
		return place, false, err
	}
	target, err := filepath.Abs(name)
	if err != nil {
		return place, false, err
	}
	below, err := within(w.top.Name, target, link)
	if err != nil {
		return place, false, err
	}
	left, err := w.Ignore.LeavesOutNamed(target, false)
	return files.Below(w.top, below, link, name), !left, err
}

// staysIn is an error where a program names a link that leads out of the repository that it is in, or of its folder where that is in none;
// and where one on the way leads out of a repository. What leads to a repository from elsewhere is its owner's.
func staysIn(name string) error {
	name = filepath.Clean(name)
	for at := name; at != filepath.Dir(at); at = filepath.Dir(at) {
		info, err := os.Lstat(at)
		if err != nil {
			return err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		top, err := Resolved(filepath.Dir(at))
		if err != nil {
			return err
		}
		repository, found := ignore.Repository(top)
		if found {
			top = repository
		} else if at != name {
			continue
		}
		target, err := Resolved(at)
		if err != nil {
			return err
		}
		if _, err := within(top, target, name); err != nil {
			return err
		}
	}
	return nil
}

// within is the path of the target of a link below top, and an error where it is not there. Both have no links in them.
func within(top, target, link string) (below string, err error) {
	if below, err := filepath.Rel(top, target); err == nil && filepath.IsLocal(below) { // there may be no way from one to the other
		return below, nil
	}
	why := fmt.Errorf("is a link to %s, which is outside of %s, skipped; name the file itself to have it read", target, top)
	return "", &SkippedError{error: &FileError{link, why}}
}

// topOf a folder is where its files are reached from: that of its Git repository, or the folder itself. Below is the path of the folder from
// there. Who may enter a folder need not be allowed to read it: then the top is the folder itself.
func topOf(folder string) (top *files.Top, below string, err error) {
	folder, err = Resolved(folder)
	if err != nil {
		return nil, "", err
	}
	if name, found := ignore.Repository(folder); found {
		if top, err = files.OpenTop(name); err == nil {
			below, err = filepath.Rel(name, folder)
		}
		if err == nil && top.Opens(below) {
			return top, below, nil
		}
	}
	top, err = files.OpenTop(folder)
	return top, ".", err
}

// Resolved is the path that has no links in it.
func Resolved(path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}
