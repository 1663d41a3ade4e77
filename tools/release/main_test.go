package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestInvalidFlagsAreRejected(t *testing.T) {
	userFolder := t.TempDir()
	mustDo(t, os.WriteFile(filepath.Join(userFolder, "thesis.tex"), nil, 0o600))
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"no version": {want: `--version="": must be a semantic version`},
		"a version without a v": {
			args: []string{"--version=0.2.0"},
			want: `--version="0.2.0": must be a semantic version`,
		},
		"a version with build metadata": {args: []string{"--version=v0.2.0+1"}, want: "must be a semantic version"},
		"a version without a section in the changelog": {
			args: []string{"--version=v98.0.0", "--allow-uncommitted"},
			want: "CHANGELOG.md has no section [98.0.0]",
		},
		"an output folder with files": {
			args: []string{"--version=v0.2.0", "--allow-uncommitted", "--output=" + userFolder},
			want: "contains thesis.tex",
		},
		"an argument": {args: []string{"--version=v0.2.0", "now"}, want: `unexpected argument "now"`},
		"no Linux platform": {
			args: []string{
				"--version=v0.2.0", "--platforms=darwin/arm64", "--allow-uncommitted",
				"--output=" + t.TempDir() + "/dist",
			},
			want: "--platforms must include a linux platform",
		},
	} {
		err := run(context.Background(), test.args, io.Discard)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want it to contain %q", name, err, test.want)
		}
	}
}
