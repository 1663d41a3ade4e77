package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// builtRelease is a release for one platform.
type builtRelease struct {
	folder   string
	unpacked string // folder with the contents of its archive
	name     string // file name of its archive
}

// TestRelease builds a release for this machine twice, and checks all its files.
func TestRelease(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a release has an image, whose program this machine could not run")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute) // a slow machine builds the program in ten
	defer cancel()
	parent := t.TempDir()
	first, second := filepath.Join(parent, "first"), filepath.Join(parent, "second")
	for _, folder := range []string{first, second} {
		var log bytes.Buffer
		err := run(ctx, []string{
			"--version=v0.2.0", "--platforms=linux/" + runtime.GOARCH, "--output=" + folder,
			"--allow-uncommitted",
		}, &log)
		if err != nil {
			t.Fatalf("%v\n%s", err, &log)
		}
		t.Logf("%s", &log)
	}
	m := builtRelease{folder: first, name: "claimbridge_v0.2.0_linux_" + runtime.GOARCH + ".tar.gz"}
	m.unpacked = m.unpack(t, m.name)
	t.Run("is reproducible", func(t *testing.T) {
		sums := m.read(t, "SHA256SUMS")
		if secondSums := (builtRelease{folder: second}).read(t, "SHA256SUMS"); sums != secondSums {
			t.Errorf("first build:\n%s\nsecond build:\n%s", sums, secondSums)
		}
	})
	t.Run("has sums of all its files", m.sums)
	t.Run("has a program that runs", m.programs)
	t.Run("has the files that the documentation refers to", m.pages)
	t.Run("lists the linked modules, and has their licenses", m.bill)
	t.Run("has its provenance", m.provenance)
	t.Run("has manifests that name its image by digest", m.manifests)
	t.Run("has alerts and a dashboard", m.monitoring)
	t.Run("has pages that link to the version", func(t *testing.T) {
		for _, page := range []string{"README.md", "CHANGELOG.md"} {
			text := m.read(t, filepath.Join(m.unpacked, page))
			if strings.Contains(text, "](docs/") ||
				!strings.Contains(text, "](https://github.com/claimbridge/claimbridge/blob/v0.2.0/docs/") {
				t.Errorf("%s has relative links", page)
			}
		}
	})
	t.Run("has a kubectl plugin", m.plugin)
	t.Run("has a chart that refers to its image by digest", m.chart)
	t.Run("has completion scripts", func(t *testing.T) {
		for _, file := range []string{"claimbridge.bash", "_claimbridge", "claimbridge.fish", "claimbridge.ps1"} {
			text := m.read(t, filepath.Join(m.unpacked, "completions", file))
			if !strings.Contains(text, "__complete") {
				t.Errorf("%s does not call the program:\n%.300s", file, text)
			}
		}
		m.runs(t, "bash", "-n", filepath.Join(m.unpacked, "completions/claimbridge.bash"))
	})
	t.Run("has notes", func(t *testing.T) {
		notes := m.read(t, "notes.md")
		if !strings.HasPrefix(notes, "# claimbridge v0.2.0") || !strings.Contains(notes, "\n### Added\n") ||
			strings.Count(notes, "@sha256:") != 1 {
			t.Error(notes)
		}
	})
}

func (m builtRelease) read(t *testing.T, name string) string {
	t.Helper()
	if !filepath.IsAbs(name) {
		name = filepath.Join(m.folder, name)
	}
	text := must(os.ReadFile(name))(t)
	return string(text)
}

func (m builtRelease) runs(t *testing.T, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// unpack unpacks an archive of the release with tar, and returns the folder.
func (m builtRelease) unpack(t *testing.T, name string) string {
	t.Helper()
	folder := t.TempDir()
	m.runs(t, "tar", "-xf", filepath.Join(m.folder, name), "-C", folder)
	return folder
}
