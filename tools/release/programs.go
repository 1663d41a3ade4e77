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
	return []string{"VERSION=" + r.version, "REVISION=" + r.source.revision, fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.source.time.Unix())}
}

// makeImages of both programs, from the programs that go into the archives of Linux.
func (r *release) makeImages(ctx context.Context) error {
	var linux []string
	for _, p := range r.platforms {
		if strings.HasPrefix(p, "linux/") {
			linux = append(linux, p)
		}
	}
	if len(linux) == 0 {
		return errors.New("one of the platforms must be of Linux: manifests name the images")
	}
	env := append(r.settings(), "PLATFORMS="+strings.Join(linux, " "), "IMAGES="+r.work)
	out, err := r.command(ctx, env, ".ci/image", r.registry+"/"+program+":"+r.version, r.registry+"/"+apiserver+":"+r.version)
	if err != nil {
		return err
	}
	names := strings.Fields(string(out))
	if len(names) != 2 {
		return fmt.Errorf("want the names of two images, got %q", out)
	}
	r.images = map[string]string{program: names[0], apiserver: names[1]}
	for name := range r.images {
		content, err := os.ReadFile(filepath.Join(r.work, name+".tar"))
		if err != nil {
			return err
		}
		if err := r.put(fmt.Sprintf("%s_%s_image.tar", name, r.version), content); err != nil {
			return err
		}
	}
	return nil
}

// programsOf a platform, as they are called there.
func programsOf(platform string) []string {
	switch {
	case strings.HasPrefix(platform, "linux/"):
		return []string{program, apiserver}
	case strings.HasPrefix(platform, "windows/"):
		return []string{program + ".exe"}
	}
	return []string{program}
}

// built file of a program.
func (r *release) file(platform, name string) string {
	return filepath.Join(r.work, filepath.FromSlash(platform), name)
}

// makePrograms that no image has, and one for this machine if it is of none of the platforms.
func (r *release) makePrograms(ctx context.Context) error {
	for _, platform := range append(slices.Clone(r.platforms), here()) {
		for _, name := range programsOf(platform) {
			file := r.file(platform, name)
			if _, err := os.Stat(file); err == nil {
				continue
			}
			if _, err := r.command(ctx, r.settings(), ".ci/program", platform, strings.TrimSuffix(name, ".exe"), file); err != nil {
				return err
			}
		}
	}
	return nil
}

// here is the platform of this machine.
func here() string { return runtime.GOOS + "/" + runtime.GOARCH }

// ask the program that was built for this machine, which finds no cluster and no settings of whoever runs this.
func (r *release) ask(ctx context.Context, args ...string) ([]byte, error) {
	nowhere := filepath.Join(r.work, "nowhere")
	env := []string{"HOME=" + nowhere, "KUBECONFIG=" + nowhere, "KUBERNETES_SERVICE_HOST=", "KUBERNETES_SERVICE_PORT="}
	return r.command(ctx, env, r.file(here(), programsOf(here())[0]), args...)
}
