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

	"github.com/claimbridge/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/internal/input"
)

// checkCopies returns an error if two files would be written to the same path in OutputDir.
func (o FileOptions) checkCopies(all []input.File) error {
	if o.OutputDir == "" {
		return nil
	}
	copies := map[string]string{}
	for _, f := range all {
		if f.Err != nil {
			continue
		}
		if first, isTaken := copies[f.RelativePath]; isTaken {
			return fmt.Errorf("%s and %s would both become %s: name a directory that contains both", first, f.Path,
				filepath.Join(o.OutputDir, f.RelativePath))
		}
		copies[f.RelativePath] = f.Path
	}
	return nil
}

// stage stages the text of a file: in place if it changed, or in the output directory.
func (r *inPlace) stage(f *fileResult, file input.File, info fs.FileInfo, text []byte) (err error) {
	switch {
	case r.OutputDir != "":
		f.staged, err = r.stageCopy(file, info, text)
	case r.Write && f.isChanged:
		f.staged, err = files.Stage(file.Location(), text, info)
	}
	if f.staged != nil {
		r.staged.Store(f.staged, true)
	}
	return err
}

// makeDir creates a directory and its parents, and remembers which ones it created.
func (r *inPlace) makeDir(dir string) error {
	err := os.Mkdir(dir, 0o777) // the umask restricts the mode
	if errors.Is(err, fs.ErrNotExist) {
		if err = r.makeDir(filepath.Dir(dir)); err == nil {
			err = os.Mkdir(dir, 0o777)
		}
	}
	if err == nil {
		r.createdDirs.Store(dir, true)
		return nil
	}
	if info, statErr := os.Stat(dir); statErr == nil && info.IsDir() {
		return nil // another goroutine created it
	}
	return err
}

// discard removes temporary files, and directories that were created and are empty. It is called after the pipeline is
// closed.
func (r *inPlace) discard() {
	for s := range r.staged.Range {
		s.(*files.Staged).Discard() //nolint:forcetypeassert // nothing else is stored
	}
	var dirs []string
	for dir := range r.createdDirs.Range {
		dirs = append(dirs, dir.(string)) //nolint:forcetypeassert // nothing else is stored
	}
	slices.Sort(dirs)
	for _, dir := range slices.Backward(dirs) {
		_ = syscall.Rmdir(dir) // fails for a directory with files
	}
}

// stageCopy stages a copy in the output directory. It returns nil if the same copy already exists.
func (r *inPlace) stageCopy(file input.File, info fs.FileInfo, text []byte) (*files.Staged, error) {
	to := filepath.Join(r.OutputDir, file.RelativePath)
	if err := r.checkLinks(to); err != nil {
		return nil, err
	}
	current, currentInfo, err := files.Read(files.At(to))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := r.makeDir(filepath.Dir(to)); err != nil {
			return nil, err
		}
		return files.StageNew(files.At(to), text, info.Mode())
	case err != nil:
		return nil, err
	case bytes.Equal(current, text):
		return nil, nil
	}
	return files.Stage(files.At(to), text, currentInfo)
}

// checkLinks returns an error if the path of a copy has a symbolic link, through which the copy would be written
// outside of the output directory.
func (r *inPlace) checkLinks(to string) error {
	for at := to; at != filepath.Clean(r.OutputDir) && at != filepath.Dir(at); at = filepath.Dir(at) {
		if info, err := os.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s: is a symbolic link, and convert does not write through links; remove it, or name "+
				"another --output-dir",
				at)
		}
	}
	return nil
}
