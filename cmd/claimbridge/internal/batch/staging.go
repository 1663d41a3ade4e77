package batch

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
)

// distinct returns each file once, even if it has several names. It is an error if two become the same one.
func distinct(all []input.File, names int, to FileOptions) (each []input.File, err error) {
	seen, copies := map[string]bool{}, map[string]string{}
	several := names > 1 || slices.ContainsFunc(all, func(f input.File) bool { return f.IsLink })
	for _, f := range all {
		if f.IsStandardInput() && to.Write {
			return nil, errors.New("standard input cannot be written to")
		}
		if several && f.Err == nil && !f.IsStandardInput() {
			path, err := input.ResolvePath(f.Path)
			if err == nil && seen[path] {
				continue
			}
			seen[path] = true // what cannot be looked at is for reading it to say
		}
		if each = append(each, f); f.Err != nil || to.OutputDir == "" {
			continue
		}
		if other, taken := copies[f.RelativePath]; taken {
			return nil, fmt.Errorf("%s and %s would both become %s: name a folder that holds both", other, f.Path,
				filepath.Join(to.OutputDir, f.RelativePath))
		}
		copies[f.RelativePath] = f.Path
	}
	return each, nil
}

// stage the text of a file, if it is to be written: in its own place when it changed, or in the folder for all.
func (r *inPlace) stage(f *fileResult, file input.File, info fs.FileInfo, text []byte) (err error) {
	switch {
	case r.OutputDir != "":
		f.staged, err = r.stageCopy(file, info, text)
	case r.Write && f.isChanged:
		f.staged, err = files.Stage(file.Location(), text, info, 0)
	}
	if f.staged != nil {
		r.staged.Store(f.staged, true)
	}
	return err
}

// makeFolder creates the folder of a copy, and those above it, and remembers which ones it created.
func (r *inPlace) makeFolder(folder string) error {
	err := os.Mkdir(folder, 0o777) // less what the umask takes
	if errors.Is(err, fs.ErrNotExist) {
		if err = r.makeFolder(filepath.Dir(folder)); err == nil {
			err = os.Mkdir(folder, 0o777)
		}
	}
	if err == nil {
		r.folders.Store(folder, true)
		return nil
	}
	if info, again := os.Stat(folder); again == nil && info.IsDir() {
		return nil // another goroutine was faster
	}
	return err
}

// discard removes temporary files that were not put, and folders that are empty, when the pipeline is closed.
func (r *inPlace) discard() {
	for s := range r.staged.Range {
		s.(*files.Staged).Discard() //nolint:forcetypeassert // all are
	}
	var folders []string
	for folder := range r.folders.Range {
		folders = append(folders, folder.(string)) //nolint:forcetypeassert // all are
	}
	slices.Sort(folders)
	for _, folder := range slices.Backward(folders) {
		_ = syscall.Rmdir(folder) // a folder with files stays
	}
}

// stageCopy returns nil if the copy is there already.
func (r *inPlace) stageCopy(file input.File, info fs.FileInfo, text []byte) (*files.Staged, error) {
	to := filepath.Join(r.OutputDir, file.RelativePath)
	if err := r.within(to); err != nil {
		return nil, err
	}
	there, was, err := files.Read(files.At(to))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := r.makeFolder(filepath.Dir(to)); err != nil {
			return nil, err
		}
		return files.Stage(files.At(to), text, nil, info.Mode())
	case err != nil:
		return nil, err
	case bytes.Equal(there, text):
		return nil, nil
	}
	return files.Stage(files.At(to), text, was, 0)
}

// within returns an error if a copy would be outside of the folder that is written to, because of a link in it.
func (r *inPlace) within(to string) error {
	for at := to; at != filepath.Clean(r.OutputDir) && at != filepath.Dir(at); at = filepath.Dir(at) {
		if info, err := os.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s: is a link, and nothing is written through it; remove it, or name another "+
				"--output-dir",
				at)
		}
	}
	return nil
}
