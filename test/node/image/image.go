// Package image builds container images for test nodes, with the same tools as images of releases.
package image

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/claimbridge/claimbridge/test/programs"
)

// serverImage is the name of the image in the manifests.
const (
	version     = "v0.2.0"
	serverImage = "ghcr.io/claimbridge/claimbridge:" + version
)

// Build builds an image with a name like kit.local/driver:v1. Its entry point is a statically linked program. Flags are
// additional flags of tools/release/image. It returns the path of an OCI archive in the folder, for the architecture of
// this machine.
func Build(ctx context.Context, folder, name, program string, flags ...string) (archive string, err error) {
	archive = filepath.Join(folder, strings.NewReplacer("/", "_", ":", "_").Replace(name)+".tar")
	args := append([]string{
		"run",
		"./image",
		"--name=" + name,
		"--entrypoint=/" + filepath.Base(program),
		"--platform=linux/" + runtime.GOARCH + "=" + program,
		"--output=" + archive,
	}, flags...)
	return archive, run(ctx, filepath.Join("tools", "release"), nil, "go", args...)
}

// BuildPackage builds a main package of this checkout, like ./test/node/hello, and an image with it, as [Build] does.
func BuildPackage(ctx context.Context, folder, name, path string, flags ...string) (archive string, err error) {
	program := filepath.Join(folder, filepath.Base(path))
	if err := run(ctx, "", []string{"CGO_ENABLED=0"}, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w",
		"-o", program, path); err != nil {
		return "", err
	}
	return Build(ctx, folder, name, program, flags...)
}

// Claimbridge builds the image of this checkout as make image does, with the name in the manifests.
func Claimbridge(ctx context.Context, folder string) (archive, name string, err error) {
	folder = filepath.Join(folder, "image")
	err = run(ctx, "", []string{
		"VERSION=" + version, "PLATFORMS=linux/" + runtime.GOARCH, "IMAGES=" + folder,
	}, filepath.Join(".ci", "image"), serverImage)
	return filepath.Join(folder, "claimbridge.tar"), serverImage, err
}

// run runs a program in a folder of the repository.
func run(ctx context.Context, folder string, env []string, program string, args ...string) error {
	root := programs.Root()
	if strings.Contains(program, "/") {
		program = filepath.Join(root, program)
	}
	command := exec.CommandContext(ctx, program, args...)
	command.Dir, command.Env = filepath.Join(root, folder), append(os.Environ(), append(env, "GOWORK=off")...)
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", command, err, output)
	}
	return nil
}
