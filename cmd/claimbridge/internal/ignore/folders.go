package ignore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Names of the files of patterns in a folder, in the order in which they count: what the last one says beats the others.
var names = []string{".gitignore", ".claimbridgeignore"}

const (
	// maxFile in bytes of a file of patterns. People write them line by line.
	maxFile = 1 << 20
	// maxPatterns that hold in a folder, its own and those of the folders above. Each is held against each file. Large repositories have
	// some hundreds; ten thousand names take two milliseconds a file, and ten thousand times fifty stars some 25.
	maxPatterns = 10_000
)

// Rules say which files of folders are left out.
type Rules struct {
	// None is set when files of patterns do not count.
	None bool
	// Excluded is what was asked for by flags. It beats what files say.
	Excluded []Pattern

	above map[string]*Scope // of the folders that were asked for
}

// Scope has the patterns that hold in a folder; nil has none. Those of the folders above are theirs, however many share them.
type Scope struct {
	above *Scope
	own   []Pattern
	all   int // patterns, here and above
}

// add the patterns of a file in a folder, whose path has slashes, unless they are too many. A line that is none never matches, as in git.
func (s *Scope) add(text, folder string) bool {
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		p, err := Parse(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"), folder)
		if err != nil || line[0] == '#' {
			continue
		}
		if s.all++; s.all > maxPatterns {
			return false
		}
		s.own = append(s.own, p)
	}
	return true
}

// leavesOut says whether a file or folder, whose path has slashes, is left out: by the last pattern that matches.
func (s *Scope) leavesOut(path string, folder bool) bool {
	for ; s != nil; s = s.above {
		for _, p := range slices.Backward(s.own) {
			if p.matches(path, folder) {
				return !p.negated
			}
		}
	}
	return false
}

// Below gives the patterns that hold in a folder, from those that hold in the one above it. Paths are absolute.
func (r *Rules) Below(folder string, above *Scope) (*Scope, error) {
	if r.None {
		return nil, nil
	}
	s := &Scope{above: above}
	if above != nil {
		s.all = above.all
	}
	for _, name := range names {
		name = filepath.Join(folder, name)
		text, err := read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if !s.add(text, filepath.ToSlash(folder)) {
			return nil, refused(name, "there are more than %d patterns in it and in the folders above", maxPatterns)
		}
	}
	if len(s.own) == 0 {
		return above, nil
	}
	return s, nil
}

// refused is a file of patterns that is beyond a limit.
func refused(name, why string, args ...any) error {
	return &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf(why+", the limit; take some out, or let --no-ignore do without all", args...)}
}

func read(name string) (string, error) {
	info, err := os.Lstat(name)
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		at.Path = filepath.Dir(name) // of one that may not be entered nobody knows what is in it
	} else if info.Mode()&fs.ModeSymlink != 0 && filepath.Base(name) != names[0] { // git follows none
		info, err = os.Stat(name)
	}
	if err != nil || !info.Mode().IsRegular() { // opening a pipe waits for whoever writes to it
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = refused(name, "is bigger than %d MiB", maxFile>>20)
	}
	return string(text), err
}

// Within gives the patterns that hold in a folder by itself and by those above it, up to the top of its Git repository, if it is in
// one.
func (r *Rules) Within(folder string) (*Scope, error) {
	if all, known := r.above[folder]; known || r.None {
		return all, nil
	}
	var above *Scope
	if top, found := Repository(folder); found && top != folder {
		var err error
		if above, err = r.Within(filepath.Dir(folder)); err != nil {
			return nil, err
		}
	}
	all, err := r.Below(folder, above)
	if r.above == nil {
		r.above = map[string]*Scope{}
	}
	if err == nil {
		r.above[folder] = all
	}
	return all, err
}

// LeavesOut says whether a file or folder is left out, whose folder is not. The scope is that of the folder.
func (r *Rules) LeavesOut(path string, folder bool, in *Scope) bool {
	asked := Scope{above: in, own: r.Excluded}
	return asked.leavesOut(filepath.ToSlash(path), folder)
}

// LeavesOutNamed is LeavesOut for what was named, whose folders may be left out as well.
func (r *Rules) LeavesOutNamed(path string, folder bool) (bool, error) {
	for at, isFolder := path, folder; ; at, isFolder = filepath.Dir(at), true {
		parent := filepath.Dir(at)
		if parent == at {
			return false, nil
		}
		in, err := r.Within(parent)
		if err != nil {
			return false, err
		}
		if filepath.Base(at) == ".git" || r.LeavesOut(at, isFolder, in) {
			return true, nil
		}
		if isFolder && isTop(at) {
			return false, nil
		}
	}
}
