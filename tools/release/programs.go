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

// settings of the scripts that build, which are all that goes into a program beside the commit and the compiler.
func (r *release) settings() []string {
	return []string{
		"VERSION=" + r.version,
		"REVISION=" + r.source.revision,
		fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.source.time.Unix()),
	}
}

// makeImage from the programs that go into the archives of Linux.
func (r *release) makeImage(ctx context.Context) error {
	var linux []string
	for _, p := range r.platforms {
		if strings.HasPrefix(p, "linux/") {
			linux = append(linux, p)
		}
	}
	if len(linux) == 0 {
		return errors.New("one of the platforms must be of Linux: manifests name the image")
	}
	env := append(r.settings(), "PLATFORMS="+strings.Join(linux, " "), "IMAGES="+r.work)
	out, err := r.command(ctx, env, ".ci/image", r.registry+"/"+program+":"+r.version)
	if err != nil {
		return err
	}
	names := strings.Fields(string(out))
	if len(names) != 1 {
		return fmt.Errorf("want the name of the image, got %q", out)
	}
	r.image = names[0]
	content, err := os.ReadFile(filepath.Join(r.work, program+".tar"))
	if err != nil {
		return err
	}
	return r.put(fmt.Sprintf("%s_%s_image.tar", program, r.version), content)
}

// programOf a platform, as it is called there.
func programOf(platform string) string {
	if strings.HasPrefix(platform, "windows/") {
		return program + ".exe"
	}
	return program
}

// file of the program for a platform.
func (r *release) file(platform string) string {
	return filepath.Join(r.work, filepath.FromSlash(platform), programOf(platform))
}

// makePrograms that the image does not have, and one for this machine if it is of none of the platforms.
func (r *release) makePrograms(ctx context.Context) error {
	for _, platform := range append(slices.Clone(r.platforms), here()) {
		file := r.file(platform)
		if _, err := os.Stat(file); err == nil {
			continue
		}
		if _, err := r.command(ctx, r.settings(), ".ci/program", platform, program, file); err != nil {
			return err
		}
	}
	return nil
}

// here is the platform of this machine.
func here() string { return runtime.GOOS + "/" + runtime.GOARCH }

// ask runs the program that was built for this machine, without a cluster and settings of the user.
func (r *release) ask(ctx context.Context, args ...string) ([]byte, error) {
	nowhere := filepath.Join(r.work, "nowhere")
	env := []string{"HOME=" + nowhere, "KUBECONFIG=" + nowhere, "KUBERNETES_SERVICE_HOST=", "KUBERNETES_SERVICE_PORT="}
	return r.command(ctx, env, r.file(here()), args...)
}
