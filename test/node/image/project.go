package image

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Claimbridge is the image of the webhook server, as this checkout is, by the name that the manifests have.
func Claimbridge(ctx context.Context) (archive, name string, err error) {
	name = "ghcr.io/claimbridge/claimbridge:v0.1.0"
	archive, err = Package(ctx, name, "./cmd/claimbridge", "--cmd=serve")
	return archive, name, err
}

// APIServer is the image of the aggregated API server.
func APIServer(ctx context.Context) (archive, name string, err error) {
	name = "ghcr.io/claimbridge/claimbridge-apiserver:v0.1.0"
	archive, err = Package(ctx, name, "./cmd/claimbridge-apiserver")
	return archive, name, err
}

// Package main of this checkout, like ./cmd/claimbridge, built as make build does, in an image like those of Build.
func Package(ctx context.Context, name, path string, flags ...string) (archive string, err error) {
	folder, err := os.MkdirTemp("", "claimbridge-image-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	program := filepath.Join(folder, filepath.Base(path))
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, path)
	build.Dir = root()
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", path, err, output)
	}
	return Build(ctx, name, program, flags...)
}
