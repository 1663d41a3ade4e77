package programs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// Set is a set of programs that are built together into one folder.
type Set struct {
	// Name is the folder of the set in the user's cache.
	Name string
	// Notice is printed before a build. It says what is built and how long that takes.
	Notice string
	// Programs are the programs to build.
	Programs []Program
}

// Built reports whether the programs are in the user's cache.
func (s Set) Built(ctx context.Context) (bool, error) {
	_, folder, err := s.paths(ctx)
	return err == nil && exists(folder), err
}

// Folder returns the folder with the programs of the set. It builds them if they are not in the user's cache, one set
// at a time, because a build uses all cores. The folder is created atomically. Its name is a hash of all inputs, so it
// is never out of date.
func (s Set) Folder(ctx context.Context) (string, error) {
	cache, folder, err := s.paths(ctx)
	if err != nil {
		return "", err
	}
	if exists(folder) {
		return folder, nil
	}
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return "", err
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(cache, "lock")).Lock()
	if err != nil {
		return "", err
	}
	defer unlock()
	if exists(folder) { // another process built it in the meantime
		return folder, nil
	}
	return folder, s.build(ctx, folder)
}

// paths returns the folder of all sets in the user's cache, and the folder of this set.
func (s Set) paths(ctx context.Context) (cache, folder string, err error) {
	userCache, err := os.UserCacheDir()
	if err != nil {
		return "", "", fmt.Errorf("no cache folder for %s: set HOME or XDG_CACHE_HOME: %w", s.Name, err)
	}
	hash, err := s.hash(ctx)
	if err != nil {
		return "", "", err
	}
	cache = filepath.Join(userCache, "claimbridge")
	return cache, filepath.Join(cache, filepath.FromSlash(s.Name), hash), nil
}

// build builds all programs into a temporary folder, and renames it to folder at the end.
func (s Set) build(ctx context.Context, folder string) error {
	tempFolder, err := os.MkdirTemp(filepath.Dir(folder), "building-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(tempFolder) }()
	start := time.Now()
	fmt.Fprintf(os.Stderr, "%s: %s; folder: %s\n", s.Name, s.Notice, folder)
	for _, p := range s.Programs {
		if err := p.build(ctx, filepath.Join(tempFolder, p.Name)); err != nil {
			return err
		}
	}
	if err := os.Chmod(tempFolder, 0o755); err != nil {
		return err
	}
	if err := os.Rename(tempFolder, folder); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s: built in %s\n", s.Name, time.Since(start).Round(time.Second))
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
