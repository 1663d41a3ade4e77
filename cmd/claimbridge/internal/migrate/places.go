package migrate

import (
	"bytes"
	"context"
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

// distinct files: each once, also where it has several names, as there may be where several were
// given, and no two that become the same one.
func distinct(all []input.File, names int, to *InFiles) (each []input.File, err error) {
	seen, copies := map[string]bool{}, map[string]string{}
	several := names > 1 || slices.ContainsFunc(all, func(f input.File) bool { return f.Link })
	for _, f := range all {
		if f.IsStandardInput() && to.Write {
			return nil, errors.New("standard input cannot be written to")
		}
		if several && f.Err == nil && !f.IsStandardInput() {
			path, err := input.Resolved(f.Path)
			if err == nil && seen[path] {
				continue
			}
			seen[path] = true // what cannot be looked at is for reading it to say
		}
		if each = append(each, f); f.Err != nil || to.OutputDir == "" {
			continue
		}
		if other, taken := copies[f.Below]; taken {
			return nil, fmt.Errorf("%s and %s would both become %s: name a folder that holds both", other, f.Path,
				filepath.Join(to.OutputDir, f.Below))
		}
		copies[f.Below] = f.Path
	}
	return each, nil
}

// stage the text of a file, if it is to be written: in its own place when it changed, or in the folder for all.
func (r *inFiles) stage(e *edit, file input.File, info fs.FileInfo, text []byte) (err error) {
	r.staging.RLock()
	defer r.staging.RUnlock()
	if r.ctx.Err() != nil {
		return context.Canceled // which nobody hears any more
	}
	switch {
	case r.OutputDir != "":
		e.staged, err = r.stageCopy(file, info, text)
	case r.Write && e.changed:
		e.staged, err = files.Stage(file.Place(), text, info, 0)
	}
	if e.staged != nil {
		r.staged.Store(e.staged, true)
	}
	return err
}

// makeFolder of a copy, and those above it, and keep in mind which ones were not there.
func (r *inFiles) makeFolder(folder string) error {
	err := os.Mkdir(folder, 0o777) // less what the umask takes
	if errors.Is(err, fs.ErrNotExist) {
		if err = r.makeFolder(filepath.Dir(folder)); err == nil {
			err = os.Mkdir(folder, 0o777)
		}
	}
	if err == nil {
		r.made.Store(folder, true)
		return nil
	}
	if info, again := os.Stat(folder); again == nil && info.IsDir() {
		return nil // somebody else was faster
	}
	return err
}

// discard temporary files that were not put, and folders that were made for nothing, when the
// pipeline is closed: what is still at work, and was not waited for, makes no more.
func (r *inFiles) discard() {
	r.staging.Lock()
	defer r.staging.Unlock()
	for s := range r.staged.Range {
		s.(*files.Staged).Discard() //nolint:forcetypeassert // all are
	}
	var made []string
	for folder := range r.made.Range {
		made = append(made, folder.(string)) //nolint:forcetypeassert // all are
	}
	slices.Sort(made)
	for _, folder := range slices.Backward(made) {
		_ = syscall.Rmdir(folder) // one that holds something stays, and so does what is none any more
	}
}

// stageCopy is nil when the copy is there already.
func (r *inFiles) stageCopy(file input.File, info fs.FileInfo, text []byte) (*files.Staged, error) {
	to := filepath.Join(r.OutputDir, file.Below)
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

// within the folder that is written to is where a copy has to be: a link that lies there already may lead out of it.
func (r *inFiles) within(to string) error {
	for at := to; at != filepath.Clean(r.OutputDir) && at != filepath.Dir(at); at = filepath.Dir(at) {
		if info, err := os.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s: is a link, and nothing is written through it; remove it, or name another "+
				"--output-dir",
				at)
		}
	}
	return nil
}
