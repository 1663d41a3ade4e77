package main

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/licenseclassifier/v2/assets"
)

func TestChangelogSection(t *testing.T) {
	const text = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- this\n\n## [0.1.0]\n- " +
		"that\n\n[0.1.0]: https://example.com\n"
	for version, want := range map[string]string{
		"0.2.0": "### Added\n\n- this", "0.1.0": "- that", "Unreleased": "", "0.3.0": "", "0.2": "",
		"0x2.0": "",
	} {
		if got := section(text, version); got != want {
			t.Errorf("%s: got %q, want %q", version, got, want)
		}
	}
}

func TestOnlyPermissiveLicensesAreAccepted(t *testing.T) {
	for file, allowed := range map[string]bool{
		"Apache-2.0/pristine.txt": true, "MIT/pristine.txt": true,
		"GPL-3.0/license.txt": false, "AGPL-3.0/license.txt": false,
	} {
		name := path.Dir(file)
		text := must(assets.ReadLicenseFile("License/" + file))(t)
		ids, err := classify(text)
		if allowed != (err == nil) || allowed && !slices.Contains(ids, name) {
			t.Errorf("%s: got %q, %v", name, ids, err)
		}
	}
	if ids, err := classify([]byte("Do what you like with it.")); err == nil {
		t.Errorf("an unknown text is classified as %q", ids)
	}
}

func TestPackZip(t *testing.T) {
	at := time.Date(2026, 11, 22, 18, 0, 1, 0, time.UTC)
	entries := []entry{
		{Name: "claimbridge.exe", Mode: 0o755, Content: []byte("program")},
		{Name: "licenses/std/LICENSE", Mode: 0o644, Content: bytes.Repeat([]byte("text "), 1000)},
	}
	packed := must(packZip(entries, at))(t)
	if second, err := packZip(entries, at); err != nil || !bytes.Equal(packed, second) {
		t.Errorf("the second zip differs: %v", err)
	}
	r, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil || len(r.File) != len(entries) {
		t.Fatalf("%+v: %v", r, err)
	}
	for i, file := range r.File {
		content := must(file.Open())(t)
		text, err := io.ReadAll(content)
		want := entries[i]
		if err != nil || file.Name != want.Name || file.Mode() != want.Mode || !bytes.Equal(text, want.Content) ||
			!file.Modified.Equal(at) {
			t.Errorf("got %+v: %v", file.FileHeader, err)
		}
	}
}

func TestReplaceLine(t *testing.T) {
	for text, want := range map[string]string{
		"name: a\nversion: 0.1.0\nappVersion: v1\n": "name: a\nversion: 0.2.0\nappVersion: v1\n",
		"name: a\n":                      "",
		"version: 1\nversion: 2\n":       "",
		"  version: of something else\n": "",
	} {
		got, err := replaceLine([]byte(text), "version: .*", "version: 0.2.0")
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v", text, got, err)
		}
	}
}

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
		"a folder of the user": {
			args: []string{"--version=v0.2.0", "--allow-uncommitted", "--output=" + userFolder},
			want: "contains thesis.tex",
		},
		"an argument": {args: []string{"--version=v0.2.0", "now"}, want: `unknown argument "now"`},
		"no platform of Linux": {
			args: []string{
				"--version=v0.2.0", "--platforms=darwin/arm64", "--allow-uncommitted",
				"--output=" + t.TempDir() + "/dist",
			},
			want: "--platforms must include a linux platform",
		},
	} {
		err := run(context.Background(), test.args, io.Discard)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", name, err, test.want)
		}
	}
}
