package ignore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Names of the files of patterns in a folder, in the order in which they count: what the last one says beats the others.
var names = []string{".gitignore", ".claimbridgeignore"}

// maxFile in bytes of a file of patterns. People write them line by line; each line is held against each file.
const maxFile = 1 << 20

// Rules say which files of folders are left out.
type Rules struct {
	// None is set when files of patterns do not count.
	None bool
	// Excluded is what was asked for by flags. It beats what files say.
	Excluded Patterns

	above map[string]Patterns // of the folders that were asked for
}

// Below gives the patterns that hold in a folder, from those that hold in the one above it. Paths are absolute.
func (r *Rules) Below(folder string, above Patterns) (Patterns, error) {
	if r.None {
		return nil, nil
	}
	all := above[:len(above):len(above)]
	for _, name := range names {
		text, err := read(filepath.Join(folder, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return all, err
		}
		all = append(all, Parse(text, filepath.ToSlash(folder))...)
	}
	return all, nil
}

func read(name string) ([]byte, error) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() { // opening a pipe waits for whoever writes to it
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		return nil, fmt.Errorf("%s: is bigger than %d MiB, the limit for a file of patterns", name, maxFile>>20)
	}
	return text, err
}

// Within gives the patterns that hold in a folder by itself and by those above it, up to the top of its Git repository, if it is in
// one.
func (r *Rules) Within(folder string) (Patterns, error) {
	if all, known := r.above[folder]; known || r.None {
		return all, nil
	}
	var above Patterns
	if parent := filepath.Dir(folder); parent != folder && inRepository(parent) && !isTop(folder) {
		var err error
		if above, err = r.Within(parent); err != nil {
			return nil, err
		}
	}
	all, err := r.Below(folder, above)
	if err == nil {
		if r.above == nil {
			r.above = map[string]Patterns{}
		}
		r.above[folder] = all
	}
	return all, err
}

// isTop reports whether a folder is the top of a repository.
func isTop(folder string) bool {
	_, err := os.Lstat(filepath.Join(folder, ".git")) // a file, in a work tree
	return err == nil
}

func inRepository(folder string) bool {
	for {
		if isTop(folder) {
			return true
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return false
		}
		folder = parent
	}
}

// LeavesOut says whether a file or folder is left out, whose folder is not. The patterns are those that hold in the folder.
func (r *Rules) LeavesOut(path string, folder bool, patterns Patterns) bool {
	path = filepath.ToSlash(path)
	if left, said := r.Excluded.Match(path, folder); said {
		return left
	}
	left, _ := patterns.Match(path, folder)
	return left
}

// LeavesOutNamed is LeavesOut for what was named, whose folders may be left out as well.
func (r *Rules) LeavesOutNamed(path string, folder bool) (bool, error) {
	for at, isFolder := path, folder; ; at, isFolder = filepath.Dir(at), true {
		parent := filepath.Dir(at)
		if parent == at {
			return false, nil
		}
		patterns, err := r.Within(parent)
		if err != nil {
			return false, err
		}
		if filepath.Base(at) == ".git" || r.LeavesOut(at, isFolder, patterns) {
			return true, nil
		}
		if isFolder && isTop(at) {
			return false, nil
		}
	}
}
