// Package image makes images of static programs for tests, with the program that makes those of the project, and keeps them in the user's
// cache. What is the same is made once.
package image

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"time"

	"github.com/claimbridge/claimbridge/test/programs"
)

// Build an image of a name, like kit.local/driver:v1, whose entry point is a program, a file that needs no library. Flags of
// tools/release/image may say more. The archive is a file, in OCI's layout in a tar, for this machine's processor.
func Build(ctx context.Context, name, program string, flags ...string) (archive string, err error) {
	tool, err := builder().Folder(ctx)
	if err != nil {
		return "", err
	}
	flags = append([]string{"--name=" + name, "--entrypoint=/" + filepath.Base(program)}, flags...)
	folder, key, err := place(name, program, tool, flags)
	if err != nil {
		return "", err
	}
	archive = filepath.Join(folder, key+".tar")
	now := time.Now()
	if os.Chtimes(archive, now, now) == nil {
		return archive, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	forget(folder)
	// Whoever else makes it has the same bytes: the last one to put them there changes nothing.
	work, err := os.MkdirTemp(folder, "building-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(work) }()
	unfinished := filepath.Join(work, "image.tar")
	build := exec.CommandContext(ctx, filepath.Join(tool, "image"), append(flags, "--platform=linux/"+runtime.GOARCH+"="+program, "--output="+unfinished)...)
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the image %s: %w\n%s", name, err, output)
	}
	return archive, os.Rename(unfinished, archive)
}

// place of an archive: a folder for each name, and a key of all that goes into it.
func place(name, program, tool string, flags []string) (folder, key string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", "", fmt.Errorf("no folder to keep images in: set HOME or XDG_CACHE_HOME: %w", err)
	}
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "%s\n%q\n", filepath.Base(tool), flags)
	file, err := os.Open(program)
	if err != nil {
		return "", "", err
	}
	defer func() { _ = file.Close() }()
	if _, err := io.Copy(sum, file); err != nil {
		return "", "", err
	}
	folder = filepath.Join(cache, "claimbridge", "images", regexp.MustCompile(`[^a-zA-Z0-9.-]+`).ReplaceAllString(name, "_"))
	return folder, hex.EncodeToString(sum.Sum(nil))[:16], nil
}

// forget archives that nobody has asked for in a while: each state of the sources has its own.
func forget(folder string) {
	const while = 7 * 24 * time.Hour
	files, _ := filepath.Glob(filepath.Join(folder, "*"))
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && time.Since(info.ModTime()) > while {
			_ = os.RemoveAll(file)
		}
	}
}

// builder of images, from the module that makes releases.
func builder() programs.Set {
	dir := filepath.Join(root(), "tools", "release")
	return programs.Set{
		Name: "image-builder", Patience: "building what makes images",
		Programs: []programs.Program{{
			Name: "image", Dir: dir, Sources: sources(dir), Args: []string{"-trimpath", "-ldflags=-s -w", "./image"}, Env: []string{"CGO_ENABLED=0"},
		}},
	}
}

// sources of the builder: what Go builds it from.
func sources(dir string) (names []string) {
	names = []string{"go.mod", "go.sum"}
	files, _ := filepath.Glob(filepath.Join(dir, "image", "*.go")) // the pattern is well formed
	for _, file := range files {
		names = append(names, filepath.Join("image", filepath.Base(file)))
	}
	return names
}

// root of the repository, by this file.
func root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(file))))
}
