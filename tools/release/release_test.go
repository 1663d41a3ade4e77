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
	unpacked string // folder with the contents of the archive
	archive  string // file name of the archive
}

// TestRelease builds a release for this machine twice, and checks all files of the first.
func TestRelease(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("this machine cannot run the Linux program in the image of a release")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute) // a slow machine builds the program in 10 minutes
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
	r := builtRelease{folder: first, archive: "claimbridge_v0.2.0_linux_" + runtime.GOARCH + ".tar.gz"}
	r.unpacked = r.unpack(t, r.archive)
	t.Run("is reproducible", func(t *testing.T) {
		sums := r.read(t, "SHA256SUMS")
		if secondSums := (builtRelease{folder: second}).read(t, "SHA256SUMS"); sums != secondSums {
			t.Errorf("the sums of two builds differ: first:\n%s\nsecond:\n%s", sums, secondSums)
		}
	})
	t.Run("has checksums of all files", r.checkSums)
	t.Run("has a program that runs", r.checkPrograms)
	t.Run("has the files that the documentation refers to", r.checkDocumentedFiles)
	t.Run("lists the linked modules, and has their licenses", r.checkSBOM)
	t.Run("has provenance", r.checkProvenance)
	t.Run("has manifests with the digest of the image", r.checkManifests)
	t.Run("has alerts and a dashboard", r.checkMonitoring)
	t.Run("has Markdown files that link to the version", func(t *testing.T) {
		for _, page := range []string{"README.md", "CHANGELOG.md"} {
			text := r.read(t, filepath.Join(r.unpacked, page))
			if strings.Contains(text, "](docs/") {
				t.Errorf("%s has relative links", page)
			}
			if want := "](https://github.com/claimbridge/claimbridge/blob/v0.2.0/docs/"; !strings.Contains(text, want) {
				t.Errorf("%s has no link that begins with %s", page, want)
			}
		}
	})
	t.Run("has a kubectl plugin", r.checkPlugin)
	t.Run("has a chart with the digest of the image", r.checkChart)
	t.Run("has completion scripts", func(t *testing.T) {
		for _, file := range []string{"claimbridge.bash", "_claimbridge", "claimbridge.fish", "claimbridge.ps1"} {
			text := r.read(t, filepath.Join(r.unpacked, "completions", file))
			if !strings.Contains(text, "__complete") {
				t.Errorf("%s does not call the program's command __complete:\n%.300s", file, text)
			}
		}
		r.run(t, "bash", "-n", filepath.Join(r.unpacked, "completions/claimbridge.bash"))
	})
	t.Run("has notes", func(t *testing.T) {
		notes := r.read(t, "notes.md")
		if !strings.HasPrefix(notes, "# claimbridge v0.2.0") || !strings.Contains(notes, "\n### Added\n") ||
			strings.Count(notes, "@sha256:") != 1 {
			t.Errorf("got\n%s\nwant a title with v0.2.0, a section Added, and one image with a digest", notes)
		}
	})
}

// read returns the content of a file of the release, or of a file with an absolute path.
func (r builtRelease) read(t *testing.T, name string) string {
	t.Helper()
	if !filepath.IsAbs(name) {
		name = filepath.Join(r.folder, name)
	}
	text := must(os.ReadFile(name))(t)
	return string(text)
}

// run runs a command and returns its output.
func (r builtRelease) run(t *testing.T, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// unpack unpacks an archive of the release with tar, and returns the folder with its contents.
func (r builtRelease) unpack(t *testing.T, name string) string {
	t.Helper()
	folder := t.TempDir()
	r.run(t, "tar", "-xf", filepath.Join(r.folder, name), "-C", folder)
	return folder
}
