// Package image makes the images that nodes of tests have, with what makes those of releases.
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

// The name that the manifests have.
const (
	version = "v0.2.0"
	server  = "ghcr.io/claimbridge/claimbridge:" + version
)

// Build an image of a name, like kit.local/driver:v1, whose entry point is a program, a file that
// needs no library. Flags of tools/release/image may say more. The archive, in OCI's layout in a
// tar, is a file in the folder, for this machine's processor.
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

// Package main of this checkout, like ./test/node/hello, in an image like those of Build.
func Package(ctx context.Context, folder, name, path string, flags ...string) (archive string, err error) {
	program := filepath.Join(folder, filepath.Base(path))
	if err := run(ctx, "", []string{"CGO_ENABLED=0"}, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w",
		"-o", program, path); err != nil {
		return "", err
	}
	return Build(ctx, folder, name, program, flags...)
}

// Claimbridge is the image that make image makes of this checkout, by the name that the manifests have.
func Claimbridge(ctx context.Context, folder string) (archive, name string, err error) {
	folder = filepath.Join(folder, "image")
	err = run(ctx, "", []string{
		"VERSION=" + version, "PLATFORMS=linux/" + runtime.GOARCH, "IMAGES=" + folder,
	}, filepath.Join(".ci", "image"), server)
	return filepath.Join(folder, "claimbridge.tar"), server, err
}

// run a program in a folder of the repository.
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
