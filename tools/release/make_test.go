package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestMakeRequiresVersionOrImage checks that make targets that publish or deploy require a version or an image. The
// default version in the Makefile is only for local images.
func TestMakeRequiresVersionOrImage(t *testing.T) {
	for name, test := range map[string]struct {
		args, env []string // the first argument is the target
		want      string   // part of the output
		wantErr   bool
	}{
		"no version": {
			args:    []string{"release"},
			want:    "error: VERSION is required: make release VERSION=v0.2.0\n",
			wantErr: true,
		},
		"version as an argument": {args: []string{"release", "VERSION=v0.3.0"}, want: " --version=v0.3.0"},
		"version in the environment": {
			args: []string{"release"}, env: []string{"VERSION=v0.3.0"}, want: " --version=v0.3.0",
		},
		"empty version": {
			args: []string{"release", "VERSION="}, want: "error: VERSION is required", wantErr: true,
		},
		"default version as an argument": {args: []string{"release", "VERSION=v0.2.0"}, want: " --version=v0.2.0"},
		"no image to push": {
			args:    []string{"image-push"},
			want:    "error: IMG is required: make image-push IMG=",
			wantErr: true,
		},
		"empty image": {
			args:    []string{"image-push", "IMG="},
			want:    "error: IMG is required: make image-push IMG=",
			wantErr: true,
		},
		"empty version of the image": {
			args:    []string{"image-push", "VERSION="},
			want:    "error: IMG is required: make image-push IMG=",
			wantErr: true,
		},
		"image to push": {
			args: []string{"image-push", "IMG=example.com/a:1"},
			want: " --name=example.com/a:1 ",
		},
		"image and version": {
			args: []string{"image-push", "IMG=example.com/a:1", "VERSION=v0.3.0"},
			want: " --name=example.com/a:1 ",
		},
		"image of a version": {
			args: []string{"image-push", "VERSION=v0.3.0"},
			want: " --name=ghcr.io/claimbridge/claimbridge:v0.3.0 ",
		},
		"no image to deploy": {
			args:    []string{"deploy", "KUBECTL=:"},
			want:    "error: IMG is required: make deploy IMG=",
			wantErr: true,
		},
		"image to deploy": {
			args: []string{"deploy", "KUBECTL=:", "IMG=example.com/a:1"},
			want: " --image=example.com/a:1 ",
		},
		"image of a version to deploy": {
			args: []string{"deploy", "KUBECTL=:", "VERSION=v0.3.0"},
			want: " --image=ghcr.io/claimbridge/claimbridge:v0.3.0 ",
		},
	} {
		cmd := exec.CommandContext(t.Context(), "make",
			append([]string{"--no-print-directory", "-C", "../..", "GO=echo"}, test.args...)...)
		cmd.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
			// The test may itself be run by make, which sets these variables.
			name, _, _ := strings.Cut(variable, "=")
			return strings.HasPrefix(name, "MAKE") || name == "MFLAGS" || name == "VERSION" || name == "IMG"
		})
		cmd.Env = append(cmd.Env, test.env...)
		out, err := cmd.CombinedOutput()
		if (err != nil) != test.wantErr || !strings.Contains(string(out), test.want) {
			t.Errorf("%s: got error %v, want an error: %t, and output with %q:\n%s", name, err, test.wantErr, test.want, out)
		}
	}
}
