package image

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// The name that the manifests have.
const (
	version = "v0.2.0"
	server  = "ghcr.io/claimbridge/claimbridge:" + version
)

// Claimbridge is the image that make image makes of this checkout, by the name that the manifests have.
func Claimbridge(context.Context) (archive, name string, err error) {
	folder, err := project()
	return filepath.Join(folder, archiveName), server, err
}

const archiveName = "claimbridge.tar"

// project image, made once by each process: whoever holds the sources may change them, and nobody does while tests run.
var project = sync.OnceValues(func() (folder string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder to keep images in: set HOME or XDG_CACHE_HOME: %w", err)
	}
	parent := filepath.Join(cache, "claimbridge", "images", "project")
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	forget(parent)
	work, err := os.MkdirTemp(parent, "building-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(work) }()
	build := exec.CommandContext(context.Background(), filepath.Join(root(), ".ci", "image"), server)
	build.Env = append(os.Environ(), "VERSION="+version, "PLATFORMS=linux/"+runtime.GOARCH, "IMAGES="+work)
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", build, err, output)
	}
	key, err := digest(filepath.Join(work, archiveName))
	if err != nil {
		return "", err
	}
	folder = filepath.Join(parent, key)
	now := time.Now()
	if os.Chtimes(folder, now, now) == nil {
		return folder, nil
	}
	if err := os.RemoveAll(filepath.Join(work, "linux")); err != nil { // the programs
		return "", err
	}
	// Whoever else has made the same was faster, and has the same.
	if err := os.Rename(work, folder); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	return folder, os.Chmod(folder, 0o755)
})

func digest(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])[:16], nil
}

// Package main of this checkout, like ./test/node/hello, in an image like those of Build.
func Package(ctx context.Context, name, path string, flags ...string) (archive string, err error) {
	folder, err := os.MkdirTemp("", "claimbridge-image-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	program := filepath.Join(folder, filepath.Base(path))
	// Without the commit, which would make another image of the same program.
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", program, path)
	build.Dir = root()
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", path, err, output)
	}
	return Build(ctx, name, program, flags...)
}
