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

	"github.com/claimbridge/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// File is a file to read, or the error of one that cannot be read.
type File struct {
	Path string
	// RelativePath is the path in the folder that the user named, or the base name of a file that the user named.
	RelativePath string
	// Size is in bytes, or -1 if it is not known before the file is read.
	Size int64
	// IsNamed is set if the user named the file, and it was not found in a folder.
	IsNamed bool
	// IsLink is set if the file is a symbolic link that was found in a folder.
	IsLink bool
	// IsManifest is set if the user named the file, or if its name is that of a manifest.
	IsManifest bool
	location   files.Location // of a file that was found in a folder
	// Err is set if the file cannot be read, or for a warning ([IsWarning]) about a file that is skipped or a folder.
	Err error
}

// IsStandardInput reports whether this is the standard input, and not a file.
func (f File) IsStandardInput() bool { return f.Path == "-" }

// HasManifestName reports whether the name of the file is that of a manifest.
func (f File) HasManifestName() bool {
	return slices.Contains([]string{".json", ".yaml", ".yml"}, strings.ToLower(filepath.Ext(f.Path))) ||
		yamldoc.IsKustomization(f.Path)
}

// Name returns the name of the file in messages.
func (f File) Name() string {
	if f.IsStandardInput() {
		return StandardInput
	}
	return f.Path
}

// Read reads the file as a whole. The standard input has no file information.
func (f File) Read(stdin io.Reader) ([]byte, fs.FileInfo, error) {
	if f.IsStandardInput() {
		text, err := files.ReadAll(stdin, StandardInput, 0)
		return text, nil, err
	}
	return files.Read(f.Location())
}

// Location returns where the file is read and written.
func (f File) Location() files.Location {
	if !f.IsNamed {
		return f.location
	}
	at := files.At(f.Path)
	at.MayBlock = f.Size < 0
	return at
}

// IsNamed reports whether the user named a file, so that no pattern excludes it.
func (in *Input) IsNamed(path string) bool {
	return in != nil && slices.Contains(in.Files, path)
}

// List returns the files in the order in which they are named, and those of a folder in lexical order. A file that has
// several names is listed once, with the first of them. Each needs about 300 bytes.
func (in *Input) List() []File {
	if in.listed == nil {
		for _, name := range in.Files {
			in.listed = append(in.listed, in.listName(name)...)
		}
		if len(in.Files) > 1 || slices.ContainsFunc(in.listed, func(f File) bool { return f.IsLink }) {
			in.listed = withoutRepeated(in.listed)
		}
	}
	return in.listed
}

// withoutRepeated returns the files without those that an earlier entry lists under another name.
func withoutRepeated(all []File) []File {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(f File) bool {
		if f.Err != nil || f.IsStandardInput() {
			return false
		}
		path, err := resolvePath(f.Path)
		if err != nil {
			return false // the error occurs again when the file is read
		}
		isRepeated := seen[path]
		seen[path] = true
		return isRepeated
	})
}

// SizeOf returns the total size of files in bytes, or 0 if that of one is not known.
func SizeOf(all []File) (bytes int64) {
	for _, f := range all {
		if f.Size < 0 {
			return 0
		}
		bytes += f.Size
	}
	return bytes
}

// listName lists a file that the user named, whatever its name and its type, such as a named pipe; or the files of a
// folder. In a folder irregular files are skipped, because reading one might wait indefinitely.
func (in *Input) listName(name string) []File {
	if name == "-" {
		return []File{{Path: name, Size: -1, IsNamed: true, IsManifest: true}}
	}
	info, err := os.Stat(name)
	if err != nil && strings.Contains(name, "://") {
		err = &FileError{name, errors.New("URLs are not supported: pipe the content to standard input, as in curl -sSfL URL")}
	}
	full, absErr := filepath.Abs(name)
	if err = cmp.Or(err, absErr); err != nil {
		return []File{{Err: plainPathError(err)}}
	}
	if !info.IsDir() {
		size := int64(-1)
		if info.Mode().IsRegular() {
			size = info.Size()
		}
		return []File{{Path: name, RelativePath: filepath.Base(name), Size: size, IsNamed: true, IsManifest: true}}
	}
	w := walk{Input: in}
	if w.root, w.belowRoot, err = rootOf(full); err != nil {
		return []File{{Err: relativePathError(err, name)}}
	}
	w.listFolder(name, full, "")
	if !slices.ContainsFunc(w.files, func(f File) bool { return f.IsManifest || f.Err != nil }) {
		why := "no *.json, *.yaml or *.yml in this directory"
		if w.hasExcluded {
			why = "no *.json, *.yaml or *.yml in this directory (after --exclude and .gitignore)"
		}
		if !in.Recursive {
			why += "; use -R to read subdirectories"
		}
		w.files = append(w.files, File{Err: &FileError{name, errors.New(why)}})
	}
	return w.files
}

// walk lists the files of a folder that the user named.
type walk struct {
	*Input
	files       []File
	hasExcluded bool        // a file is excluded, or may be
	root        *files.Root // files are reached from it, and links are followed in it
	belowRoot   string      // path of the folder below the root
}

// listFolder lists the files of a folder; relative is its path in the folder that the user named. In a work tree of Git
// they are the files that Git lists.
func (w *walk) listFolder(path, full, relative string) {
	if _, found := repositoryOf(full); !found {
		w.listPlainFolder(path, full, relative)
		return
	}
	names, err := gitFiles(full)
	if err == nil {
		w.hasExcluded = true
		w.listGitFolder(path, full, relative, names)
		return
	}
	if !errors.Is(err, errNoWorkTree) {
		why := fmt.Errorf(".gitignore is not applied, so ignored files are read too: %w", err)
		w.files = append(w.files, File{Err: &GitignoreError{&FileError{path, why}}})
	}
	w.listPlainFolder(path, full, relative)
}

// listGitFolder lists the files that Git returned. It skips files that are not in the work tree, and files behind a
// link to a folder.
func (w *walk) listGitFolder(path, full, relative string, names []string) {
	isReal := map[string]bool{}
	for _, name := range names {
		name = filepath.FromSlash(name)
		path, at, relative := filepath.Join(path, name), filepath.Join(full, name), filepath.Join(relative, name)
		parent := filepath.Dir(at)
		if _, known := isReal[parent]; !known {
			isReal[parent] = isRealPath(full, parent)
		}
		info, err := os.Lstat(at)
		switch isNested := filepath.Dir(name) != "."; {
		case isNested && !w.Recursive, !isReal[parent], errors.Is(err, fs.ErrNotExist), w.isSkipped(at):
		case w.Exclude.matches(path):
			w.hasExcluded = true
		case err != nil:
			w.files = append(w.files, File{Err: plainPathError(err)})
		case !info.IsDir():
			w.addFile(path, relative, fs.FileInfoToDirEntry(info))
		case w.Recursive: // a submodule or a nested repository
			w.listFolder(path, at, relative)
		}
	}
}

// isRealPath reports whether no part of the path from a folder to a folder in it is a link.
func isRealPath(folder, inner string) bool {
	realFolder, err := filepath.EvalSymlinks(folder)
	target, innerErr := filepath.EvalSymlinks(inner)
	if err != nil || innerErr != nil {
		return false
	}
	relative, err := filepath.Rel(folder, inner)
	return err == nil && target == filepath.Join(realFolder, relative)
}

// isSkipped reports whether a path is SkipFolder, or below it.
func (w *walk) isSkipped(path string) bool {
	if w.SkipFolder == "" {
		return false
	}
	below, err := filepath.Rel(w.SkipFolder, path)
	return err == nil && filepath.IsLocal(below)
}

// listPlainFolder lists all files of a folder, except those of hidden folders and dependencies.
func (w *walk) listPlainFolder(path, full, relative string) {
	entries, err := os.ReadDir(path) // sorted by name; with an error, the entries that could be read
	if err != nil {
		w.files = append(w.files, File{Err: plainPathError(err)})
	}
	for _, entry := range entries {
		path := filepath.Join(path, entry.Name())
		full := filepath.Join(full, entry.Name())
		relative := filepath.Join(relative, entry.Name())
		switch {
		case entry.IsDir() && isHiddenOrDependency(entry.Name()), w.isSkipped(full):
		case w.Exclude.matches(path):
			w.hasExcluded = true
		case !entry.IsDir():
			w.addFile(path, relative, entry)
		case w.Recursive && isRepositoryRoot(full):
			w.listFolder(path, full, relative)
		case w.Recursive:
			w.listPlainFolder(path, full, relative)
		}
	}
}

func (w *walk) addFile(path, relative string, entry fs.DirEntry) {
	if strings.HasPrefix(entry.Name(), files.TemporaryPrefix) {
		w.files = append(w.files, File{Err: &SkippedError{error: &FileError{path, errLeftBehind}}})
		return
	}
	isManifest := File{Path: path}.HasManifestName() ||
		w.IncludeMarkdown && yamldoc.IsMarkdown(path) &&
			!slices.ContainsFunc(strings.Split(filepath.ToSlash(relative), "/"), isHiddenOrDependency)
	if !isManifest && !w.IncludeOtherFiles {
		return
	}
	f := File{Path: path, RelativePath: relative, Size: -1, IsManifest: isManifest}
	f.IsLink = entry.Type()&fs.ModeSymlink != 0
	f.location = files.Below(w.root, filepath.Join(w.belowRoot, relative), path, path)
	skipped := func(format string, args ...any) {
		if isManifest {
			w.files = append(w.files, File{Err: &SkippedError{error: &FileError{path, fmt.Errorf(format, args...)}}})
		}
	}
	info, err := os.Stat(path)
	switch {
	case (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ELOOP)) && f.IsLink:
		skipped("is a broken symbolic link, skipped; remove it, or use --exclude")
		return
	case err != nil: // opening the file reports the error
		w.files = append(w.files, f)
		return
	case info.IsDir():
		return // links to folders are not followed, because they may form a cycle
	case !info.Mode().IsRegular():
		skipped("is %s, skipped; name it with -f to read it", cmp.Or(typeNames[info.Mode().Type()], "not a regular file"))
		return
	}
	f.Size = info.Size()
	if f.IsLink {
		var read bool
		if f.location, read, err = w.followLink(path); !read || err != nil {
			if err != nil {
				w.files = append(w.files, File{Err: relativePathError(err, path)})
			}
			return
		}
	}
	w.files = append(w.files, f)
}

var errLeftBehind = errors.New("is a temporary file of an interrupted run, skipped; it has the old or the new " +
	"content of a file in this directory: compare it with that file, then delete it")

// isHiddenOrDependency reports whether a name begins with a dot, or is that of the dependencies of a Go or JavaScript
// program.
func isHiddenOrDependency(name string) bool {
	return strings.HasPrefix(name, ".") || name == "vendor" || name == "node_modules"
}

// typeNames are the names of irregular file types in messages.
var typeNames = map[fs.FileMode]string{
	fs.ModeNamedPipe:                  "a named pipe",
	fs.ModeSocket:                     "a socket",
	fs.ModeDevice:                     "a device",
	fs.ModeDevice | fs.ModeCharDevice: "a device",
}
