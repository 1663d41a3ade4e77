package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Make has a version for images that are no release's, of which no release is made.
func TestMakeAsksForAVersion(t *testing.T) {
	for is, test := range map[string]struct {
		args, env []string
		want      string
		fails     bool
	}{
		"no version":                    {want: "error: VERSION is required: make release VERSION=v0.2.0\n", fails: true},
		"one as an argument":            {args: []string{"VERSION=v0.3.0"}, want: " --version=v0.3.0"},
		"one in the environment":        {env: []string{"VERSION=v0.3.0"}, want: " --version=v0.3.0"},
		"one without anything in it":    {args: []string{"VERSION="}, want: "error: VERSION is required", fails: true},
		"that of images, but asked for": {args: []string{"VERSION=v0.1.0"}, want: " --version=v0.1.0"},
	} {
		cmd := exec.CommandContext(t.Context(), "make", append([]string{"--no-print-directory", "-C", "../..", "release", "GO=echo"}, test.args...)...)
		cmd.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool { // what a make has set that runs this test
			name, _, _ := strings.Cut(variable, "=")
			return strings.HasPrefix(name, "MAKE") || name == "MFLAGS" || name == "VERSION"
		})
		cmd.Env = append(cmd.Env, test.env...)
		out, err := cmd.CombinedOutput()
		if (err != nil) != test.fails || !strings.Contains(string(out), test.want) {
			t.Errorf("%s: got %v, want %q\n%s", is, err, test.want, out)
		}
	}
}
