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

// File is a file to read, or an error or warning about a file.
type File struct {
	Path string // as messages show it
	// RelativePath is the path in the directory that the user named, or the base name of a file that the user named.
	RelativePath string
	// Size is in bytes, or -1 if it is not known before the file is read.
	Size int64
	// IsNamed is set if the user named the file itself, and not a directory that contains it.
	IsNamed bool
	// IsLink is set if the file is a symbolic link that was found in a directory.
	IsLink bool
	// IsManifest is set if the user named the file, or if its name is that of a manifest.
	IsManifest bool
	location   files.Location // of a file that was found in a directory
	// Err is why the file cannot be read, or a warning ([IsWarning]): about a skipped file, or about a directory whose
	// .gitignore is not applied. The other fields are then empty.
	Err error
}

// IsStandardInput reports whether this is standard input, and not a file.
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

// Read reads the file as a whole. The file information of standard input is nil.
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
	location := files.At(f.Path)
	location.MayBlock = f.Size < 0
	return location
}

// IsNamed reports whether the user named a file, so that no pattern excludes it.
func (in *Input) IsNamed(path string) bool {
	return in != nil && slices.Contains(in.Files, path)
}

// List returns the files in the order in which they are named, and those of a directory in lexical order. A file with
// several names is listed once, with the first of them. A listed file takes about 300 bytes of memory.
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

// SizeOf returns the total size of files in bytes, or 0 if the size of one of them is not known.
func SizeOf(all []File) (bytes int64) {
	for _, f := range all {
		if f.Size < 0 {
			return 0
		}
		bytes += f.Size
	}
	return bytes
}

// listName lists the file that the user named, or the files of the directory that the user named. A named file can have
// any name and any type; it may be a named pipe.
func (in *Input) listName(name string) []File {
	if name == "-" {
		return []File{{Path: name, Size: -1, IsNamed: true, IsManifest: true}}
	}
	info, err := os.Stat(name)
	if err != nil && strings.Contains(name, "://") {
		err = &FileError{name, errors.New("URLs are not supported: pipe the content to standard input, as in curl -sSfL URL")}
	}
	absolute, absErr := filepath.Abs(name)
	if err = cmp.Or(err, absErr); err != nil {
		return []File{{Err: plainPathError(err)}}
	}
	if info.IsDir() {
		return in.listNamedDir(walkPath{display: name, absolute: absolute})
	}
	size := int64(-1)
	if info.Mode().IsRegular() {
		size = info.Size()
	}
	return []File{{Path: name, RelativePath: filepath.Base(name), Size: size, IsNamed: true, IsManifest: true}}
}

// listNamedDir lists the files of a directory that the user named. It skips files that are not regular, because reading
// one might block indefinitely.
func (in *Input) listNamedDir(dir walkPath) []File {
	root, belowRoot, err := rootOf(dir.absolute)
	if err != nil {
		return []File{{Err: relativePathError(err, dir.display)}}
	}
	w := walk{Input: in, root: root, belowRoot: belowRoot}
	w.listDir(dir)
	if !slices.ContainsFunc(w.files, func(f File) bool { return f.IsManifest || f.Err != nil }) {
		w.addError(&FileError{dir.display, errors.New(w.whyEmpty())})
	}
	return w.files
}

// walk lists the files of a directory that the user named.
type walk struct {
	*Input
	files       []File
	hasExcluded bool        // --exclude or .gitignore may have excluded a file
	root        *files.Root // files are reached from it, and links are followed only within it
	belowRoot   string      // path from the root to the directory
}

// walkPath is the path of a file or directory that a walk visits.
type walkPath struct {
	display  string // the path that the user named, and the path below it, for messages
	absolute string
	relative string // from the directory that the user named; empty for that directory
}

// join returns the path of a file or directory in a directory.
func (p walkPath) join(name string) walkPath {
	return walkPath{
		display:  filepath.Join(p.display, name),
		absolute: filepath.Join(p.absolute, name),
		relative: filepath.Join(p.relative, name),
	}
}

func (w *walk) addError(err error) { w.files = append(w.files, File{Err: err}) }

// whyEmpty returns the error message for a directory in which no manifest was found.
func (w *walk) whyEmpty() string {
	why := "no *.json, *.yaml or *.yml in this directory"
	if w.hasExcluded {
		why += " (after --exclude and .gitignore)"
	}
	if !w.Recursive {
		why += "; use -R to read subdirectories"
	}
	return why
}

// listDir lists the files of a directory. In a Git work tree, these are the files that Git lists.
func (w *walk) listDir(dir walkPath) {
	if _, found := repositoryOf(dir.absolute); !found {
		w.listPlainDir(dir)
		return
	}
	names, err := gitFiles(dir.absolute)
	if err == nil {
		w.hasExcluded = true
		w.listGitDir(dir, names)
		return
	}
	if !errors.Is(err, errNoWorkTree) {
		why := fmt.Errorf(".gitignore is not applied, so ignored files are read too: %w", err)
		w.addError(&GitignoreError{&FileError{dir.display, why}})
	}
	w.listPlainDir(dir)
}

// listGitDir lists the files that Git returned. It skips files that are not in the work tree, and files behind a
// symbolic link to a directory.
func (w *walk) listGitDir(dir walkPath, names []string) {
	isLinked := map[string]bool{} // by the directory of a file
	for _, name := range names {
		file := dir.join(filepath.FromSlash(name))
		parent := filepath.Dir(file.absolute)
		if _, isKnown := isLinked[parent]; !isKnown {
			isLinked[parent] = hasLink(dir.absolute, parent)
		}
		isNested := parent != dir.absolute
		if isNested && !w.Recursive || isLinked[parent] || w.isSkipped(file) {
			continue
		}
		info, err := os.Lstat(file.absolute)
		switch {
		case errors.Is(err, fs.ErrNotExist): // Git tracks it, but it was deleted
		case w.Exclude.matches(file.display):
			w.hasExcluded = true
		case err != nil:
			w.addError(plainPathError(err))
		case !info.IsDir():
			w.addFile(file, fs.FileInfoToDirEntry(info))
		case w.Recursive: // a submodule or a nested repository
			w.listDir(file)
		}
	}
}

// hasLink reports whether the path from dir to inner has a symbolic link, or cannot be resolved.
func hasLink(dir, inner string) bool {
	realDir, err := filepath.EvalSymlinks(dir)
	realInner, innerErr := filepath.EvalSymlinks(inner)
	if err != nil || innerErr != nil {
		return true
	}
	relative, err := filepath.Rel(dir, inner)
	return err != nil || realInner != filepath.Join(realDir, relative)
}

// isSkipped reports whether a path is SkipDir or below it.
func (w *walk) isSkipped(path walkPath) bool {
	if w.SkipDir == "" {
		return false
	}
	below, err := filepath.Rel(w.SkipDir, path.absolute)
	return err == nil && filepath.IsLocal(below)
}

// listPlainDir lists the files of a directory without Git. It skips hidden directories and dependencies.
func (w *walk) listPlainDir(dir walkPath) {
	entries, err := os.ReadDir(dir.display) // sorted by name; with an error, the entries that could be read
	if err != nil {
		w.addError(plainPathError(err))
	}
	for _, entry := range entries {
		file := dir.join(entry.Name())
		if entry.IsDir() && isHiddenOrDependency(entry.Name()) || w.isSkipped(file) {
			continue
		}
		switch {
		case w.Exclude.matches(file.display):
			w.hasExcluded = true
		case !entry.IsDir():
			w.addFile(file, entry)
		case w.Recursive && isRepositoryRoot(file.absolute):
			w.listDir(file)
		case w.Recursive:
			w.listPlainDir(file)
		}
	}
}

// addFile adds a file that was found in a directory, or a warning that it is skipped.
func (w *walk) addFile(file walkPath, entry fs.DirEntry) {
	if strings.HasPrefix(entry.Name(), files.TemporaryPrefix) {
		w.addError(&SkippedError{error: &FileError{file.display, errLeftBehind}})
		return
	}
	isManifest := w.isManifest(file)
	if !isManifest && !w.IncludeOtherFiles {
		return
	}
	f := File{
		Path: file.display, RelativePath: file.relative, Size: -1, IsManifest: isManifest,
		IsLink:   entry.Type()&fs.ModeSymlink != 0,
		location: files.Below(w.root, filepath.Join(w.belowRoot, file.relative), file.display, file.display),
	}
	warnIfManifest := func(format string, args ...any) {
		if isManifest {
			w.addError(&SkippedError{error: &FileError{file.display, fmt.Errorf(format, args...)}})
		}
	}
	info, err := os.Stat(file.display)
	switch {
	case (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ELOOP)) && f.IsLink:
		warnIfManifest("is a broken symbolic link, skipped; remove it, or use --exclude")
		return
	case err != nil: // opening the file reports the error
		w.files = append(w.files, f)
		return
	case info.IsDir():
		return // links to directories are not followed, because they may form a cycle
	case !info.Mode().IsRegular():
		typeName := cmp.Or(typeNames[info.Mode().Type()], "not a regular file")
		warnIfManifest("is %s, skipped; name it with -f to read it", typeName)
		return
	}
	f.Size = info.Size()
	if f.IsLink {
		location, isIncluded, err := w.followLink(file.display)
		if err != nil {
			w.addError(relativePathError(err, file.display))
			return
		}
		if !isIncluded {
			return
		}
		f.location = location
	}
	w.files = append(w.files, f)
}

// isManifest reports whether the name of a file is that of a manifest, or of a Markdown file with manifests.
func (w *walk) isManifest(file walkPath) bool {
	if (File{Path: file.display}).HasManifestName() {
		return true
	}
	if !w.IncludeMarkdown || !yamldoc.IsMarkdown(file.display) {
		return false
	}
	names := strings.Split(filepath.ToSlash(file.relative), "/")
	return !slices.ContainsFunc(names, isHiddenOrDependency)
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
