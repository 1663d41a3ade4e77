package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// buildEnv returns the environment variables for the build scripts. A program depends only on these variables, the
// commit and the compiler.
func (r *release) buildEnv() []string {
	return []string{
		"VERSION=" + r.version,
		"REVISION=" + r.source.revision,
		fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.source.time.Unix()),
	}
}

// buildImage builds the image with the programs of the Linux archives.
func (r *release) buildImage(ctx context.Context) error {
	var linux []string
	for _, p := range r.platforms {
		if strings.HasPrefix(p, "linux/") {
			linux = append(linux, p)
		}
	}
	if len(linux) == 0 {
		return errors.New("--platforms must include a linux platform: the manifests refer to the Linux image")
	}
	env := append(r.buildEnv(), "PLATFORMS="+strings.Join(linux, " "), "IMAGES="+r.work)
	out, err := r.command(ctx, env, ".ci/image", r.registry+"/"+program+":"+r.version)
	if err != nil {
		return err
	}
	names := strings.Fields(string(out))
	if len(names) != 1 {
		return fmt.Errorf("output of .ci/image: got %q, want the name of the image", out)
	}
	r.image = names[0]
	content, err := os.ReadFile(filepath.Join(r.work, program+".tar"))
	if err != nil {
		return err
	}
	return r.addFile(fmt.Sprintf("%s_%s_image.tar", program, r.version), content)
}

// programFileName returns the file name of the program on a platform.
func programFileName(platform string) string {
	if strings.HasPrefix(platform, "windows/") {
		return program + ".exe"
	}
	return program
}

// programPath returns the path of the program for a platform.
func (r *release) programPath(platform string) string {
	return filepath.Join(r.work, filepath.FromSlash(platform), programFileName(platform))
}

// buildPrograms builds the programs that the image does not contain, and one for this machine.
func (r *release) buildPrograms(ctx context.Context) error {
	for _, platform := range append(slices.Clone(r.platforms), hostPlatform()) {
		file := r.programPath(platform)
		if _, err := os.Stat(file); err == nil {
			continue
		}
		if _, err := r.command(ctx, r.buildEnv(), ".ci/program", platform, program, file); err != nil {
			return err
		}
	}
	return nil
}

// hostPlatform returns the platform of this machine.
func hostPlatform() string { return runtime.GOOS + "/" + runtime.GOARCH }

// runProgram runs the program that was built for this machine, without access to a cluster or the user's settings.
// It returns the standard output.
func (r *release) runProgram(ctx context.Context, args ...string) ([]byte, error) {
	missingFile := filepath.Join(r.work, "missing")
	env := []string{
		"HOME=" + missingFile,
		"KUBECONFIG=" + missingFile,
		"KUBERNETES_SERVICE_HOST=",
		"KUBERNETES_SERVICE_PORT=",
	}
	return r.command(ctx, env, r.programPath(hostPlatform()), args...)
}
