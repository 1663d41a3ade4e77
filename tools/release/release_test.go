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

// made is a release for one platform, made twice.
type made struct {
	folder   string
	unpacked string // its archive
	name     string // of its archive
}

// TestARelease makes one for this machine, twice, and looks at all that is in it.
func TestARelease(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a release has an image, whose program this machine could not run")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute) // a slow machine builds the program in ten
	defer cancel()
	parent := t.TempDir()
	one, two := filepath.Join(parent, "one"), filepath.Join(parent, "two")
	for _, folder := range []string{one, two} {
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
	m := made{folder: one, name: "claimbridge_v0.2.0_linux_" + runtime.GOARCH + ".tar.gz"}
	m.unpacked = m.unpack(t, m.name)
	t.Run("is the same each time", func(t *testing.T) {
		if first, second := m.read(t, "SHA256SUMS"), (made{folder: two}).read(t, "SHA256SUMS"); first != second {
			t.Errorf("one time:\n%s\nanother time:\n%s", first, second)
		}
	})
	t.Run("has sums of all its files", m.sums)
	t.Run("has a program that runs", m.programs)
	t.Run("has the files that pages name", m.pages)
	t.Run("says which modules are linked, and has their licenses", m.bill)
	t.Run("says what it was built from", m.provenance)
	t.Run("has manifests that name its image by digest", m.manifests)
	t.Run("has alerts and a dashboard", m.watches)
	t.Run("has pages that link to the version", func(t *testing.T) {
		for _, page := range []string{"README.md", "CHANGELOG.md"} {
			text := m.read(t, filepath.Join(m.unpacked, page))
			if strings.Contains(text, "](docs/") ||
				!strings.Contains(text, "](https://github.com/claimbridge/claimbridge/blob/v0.2.0/docs/") {
				t.Errorf("%s links to files that are not beside it", page)
			}
		}
	})
	t.Run("has a plugin of kubectl", m.plugin)
	t.Run("has a chart of its image", m.chart)
	t.Run("has scripts that complete commands", func(t *testing.T) {
		for _, file := range []string{"claimbridge.bash", "_claimbridge", "claimbridge.fish", "claimbridge.ps1"} {
			text := m.read(t, filepath.Join(m.unpacked, "completions", file))
			if !strings.Contains(text, "__complete") {
				t.Errorf("%s asks nothing of the program:\n%.300s", file, text)
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

func (m made) read(t *testing.T, name string) string {
	t.Helper()
	if !filepath.IsAbs(name) {
		name = filepath.Join(m.folder, name)
	}
	text := must(os.ReadFile(name))(t)
	return string(text)
}

func (m made) runs(t *testing.T, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// unpack an archive of the release into a folder, with the program that its readers have.
func (m made) unpack(t *testing.T, name string) string {
	t.Helper()
	folder := t.TempDir()
	m.runs(t, "tar", "-xf", filepath.Join(m.folder, name), "-C", folder)
	return folder
}
