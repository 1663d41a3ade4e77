package input

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
)

// File to read.
type File struct {
	Path string
	// Below is the path below the folder that was named, or the name of a file that was.
	Below string
	// Size in bytes, -1 when it is not known before the file is read.
	Size int64
	// Named is set when it was not found in a folder.
	Named bool
	// Link is set when it is a symbolic link that was found in a folder.
	Link bool
	// Manifest is set when it was named, or its name says that it may hold objects.
	Manifest bool
	place    files.Place // of one that was found in a folder
	// Err is set for what cannot be read, and, as a *SkippedError, for what is not read for good
	// reason. There is no file then.
	Err error
}

// IsStandardInput reports whether there is no file, but the standard input.
func (f File) IsStandardInput() bool { return f.Path == "-" }

// Name is how messages name it.
func (f File) Name() string {
	if f.IsStandardInput() {
		return StandardInput
	}
	return f.Path
}

// Read it as a whole, to be edited. There is nothing to be known of standard input, which is called as it is edited.
func (f File) Read(stdin io.Reader, edited string) ([]byte, fs.FileInfo, error) {
	if f.IsStandardInput() {
		text, err := files.ReadAll(stdin, StandardInput, 0, edited)
		return text, nil, err
	}
	return files.Read(f.Place())
}

// Place is where it is read and written.
func (f File) Place() files.Place {
	if !f.Named {
		return f.place
	}
	at := files.At(f.Path)
	at.Waits = f.Size < 0
	return at
}

// IsNamed reports whether a file is read because it was named, whatever leaves it out of folders.
func (in *Input) IsNamed(path string) bool {
	return in != nil && slices.Contains(in.Files, path)
}

// List the files in the order in which they are named, those of a folder in lexical order; each takes some 300 bytes.
func (in *Input) List() []File {
	if in.found == nil {
		for _, name := range in.Files {
			in.found = append(in.found, in.list(name)...)
		}
	}
	return in.found
}

// SizeOf files in bytes, 0 when that of one is not known.
func SizeOf(all []File) (bytes int64) {
	for _, f := range all {
		if f.Size < 0 {
			return 0
		}
		bytes += f.Size
	}
	return bytes
}

// list a file that is named, whatever its name and whatever it is: a named pipe, say; or the files
// of a folder. There something irregular is skipped, since reading it might wait indefinitely.
func (in *Input) list(name string) []File {
	if name == "-" {
		return []File{{Path: name, Size: -1, Named: true, Manifest: true}}
	}
	info, err := os.Stat(name)
	if err != nil && strings.Contains(name, "://") {
		err = &FileError{name, errors.New("is no file, and nothing is fetched: pipe it in, as curl -sSfL does")}
	}
	full, failed := filepath.Abs(name)
	if err = cmp.Or(err, failed); err != nil {
		return []File{{Err: plainPath(err)}}
	}
	if !info.IsDir() {
		size := int64(-1)
		if info.Mode().IsRegular() {
			size = info.Size()
		}
		return []File{{Path: name, Below: filepath.Base(name), Size: size, Named: true, Manifest: true}}
	}
	w := walk{Input: in}
	if w.top, w.from, err = topOf(full); err != nil {
		return []File{{Err: asNamed(err, name)}}
	}
	w.folder(name, full, "")
	if !slices.ContainsFunc(w.found, func(f File) bool { return f.Manifest || f.Err != nil }) {
		why := "no *.json, *.yaml or *.yml in this folder"
		if w.left {
			why += " but what is left out, by --exclude or .gitignore"
		}
		w.found = append(w.found, File{Err: &FileError{name, errors.New(why)}})
	}
	return w.found
}

// walk through a folder that was named.
type walk struct {
	*Input
	found []File
	left  bool       // something is left out, or may be
	top   *files.Top // from which files are reached, and where links are followed
	from  string     // path of the folder from there
}

// folder lists one, which is so far below the one that was named. In a work tree of Git it has the
// files that Git lists.
func (w *walk) folder(path, full, below string) {
	if _, found := repository(full); !found {
		w.plainFolder(path, full, below)
		return
	}
	names, err := gitFiles(full)
	if err == nil {
		w.left = true
		w.gitFolder(path, full, below, names)
		return
	}
	if !errors.Is(err, errNoWorkTree) {
		why := fmt.Errorf("is read without regard to .gitignore: %w", err)
		w.found = append(w.found, File{Err: Skipped(&FileError{path, why})})
	}
	w.plainFolder(path, full, below)
}

// gitFolder lists the files that Git names. Those that are gone from the work tree, and those
// behind a link to a folder, are left out.
func (w *walk) gitFolder(path, full, below string, names []string) {
	isReal := map[string]bool{}
	for _, name := range names {
		name = filepath.FromSlash(name)
		path, at, below := filepath.Join(path, name), filepath.Join(full, name), filepath.Join(below, name)
		parent := filepath.Dir(at)
		if _, known := isReal[parent]; !known {
			isReal[parent] = isBelow(full, parent)
		}
		info, err := os.Lstat(at)
		switch isNested := filepath.Dir(name) != "."; {
		case isNested && !w.Recursive, !isReal[parent], errors.Is(err, fs.ErrNotExist), w.isExcept(at):
		case w.Exclude.leavesOut(path):
			w.left = true
		case err != nil:
			w.found = append(w.found, File{Err: plainPath(err)})
		case !info.IsDir():
			w.file(path, below, fs.FileInfoToDirEntry(info))
		case w.Recursive: // a submodule, or another repository
			w.folder(path, at, below)
		}
	}
}

// isBelow reports whether a folder is where its path says, without links.
func isBelow(folder, inner string) bool {
	top, err := filepath.EvalSymlinks(folder)
	target, innerErr := filepath.EvalSymlinks(inner)
	if err != nil || innerErr != nil {
		return false
	}
	wanted, err := filepath.Rel(folder, inner)
	return err == nil && target == filepath.Join(top, wanted)
}

// isExcept reports whether a path is the folder that is not read, or below it.
func (w *walk) isExcept(path string) bool {
	if w.Except == "" {
		return false
	}
	below, err := filepath.Rel(w.Except, path)
	return err == nil && filepath.IsLocal(below)
}

// plainFolder lists all files of a folder, but for hidden folders and dependencies.
func (w *walk) plainFolder(path, full, below string) {
	entries, err := os.ReadDir(path) // sorted by name, and what could be read of it beside an error
	if err != nil {
		w.found = append(w.found, File{Err: plainPath(err)})
	}
	for _, entry := range entries {
		path := filepath.Join(path, entry.Name())
		full := filepath.Join(full, entry.Name())
		below := filepath.Join(below, entry.Name())
		switch {
		case entry.IsDir() && notOurs(entry.Name()), w.isExcept(full):
		case w.Exclude.leavesOut(path):
			w.left = true
		case !entry.IsDir():
			w.file(path, below, entry)
		case w.Recursive && isTop(full):
			w.folder(path, full, below)
		case w.Recursive:
			w.plainFolder(path, full, below)
		}
	}
}

func (w *walk) file(path, below string, entry fs.DirEntry) {
	if strings.HasPrefix(entry.Name(), files.Temporary) {
		w.found = append(w.found, File{Err: &SkippedError{error: &FileError{path, errLeftBehind}}})
		return
	}
	isManifest := slices.Contains([]string{".json", ".yaml", ".yml"}, strings.ToLower(filepath.Ext(path))) ||
		yamldoc.IsKustomization(path) ||
		w.Pages && yamldoc.IsMarkdown(path) &&
			!slices.ContainsFunc(strings.Split(filepath.ToSlash(below), "/"), notOurs)
	if !isManifest && !w.Others {
		return
	}
	f := File{Path: path, Below: below, Size: -1, Link: entry.Type()&fs.ModeSymlink != 0, Manifest: isManifest}
	f.place = files.Below(w.top, filepath.Join(w.from, below), path, path)
	skipped := func(format string, args ...any) {
		if isManifest {
			w.found = append(w.found, File{Err: &SkippedError{error: &FileError{path, fmt.Errorf(format, args...)}}})
		}
	}
	info, err := os.Stat(path)
	switch {
	case (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ELOOP)) && f.Link:
		skipped("is a link to nothing, skipped")
		return
	case err != nil: // for opening it to say
		w.found = append(w.found, f)
		return
	case info.IsDir():
		return // links to folders are not followed, they might go round in circles
	case !info.Mode().IsRegular():
		skipped("is %s, skipped; name it with -f to read it", cmp.Or(irregular[info.Mode().Type()], "no regular file"))
		return
	}
	f.Size = info.Size()
	if f.Link {
		var read bool
		if f.place, read, err = w.follows(path); !read || err != nil {
			if err != nil {
				w.found = append(w.found, File{Err: asNamed(err, path)})
			}
			return
		}
	}
	w.found = append(w.found, f)
}

var errLeftBehind = errors.New("was left behind by a run that was killed, skipped; what it holds is the text of a " +
	"file beside it, before the run or after it: compare, and remove it")

// notOurs reports whether a name has a dot in front, or is one of what programs put there: the
// dependencies of one in Go or JavaScript.
func notOurs(name string) bool {
	return strings.HasPrefix(name, ".") || name == "vendor" || name == "node_modules"
}

// irregular files that have a name, by their types.
var irregular = map[fs.FileMode]string{
	fs.ModeNamedPipe:                  "a named pipe",
	fs.ModeSocket:                     "a socket",
	fs.ModeDevice:                     "a device",
	fs.ModeDevice | fs.ModeCharDevice: "a device",
}
