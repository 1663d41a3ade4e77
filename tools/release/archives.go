package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/claimbridge/claimbridge/tools/release/internal/tarfile"
)

// archive is the archive of the program for a platform.
type archive struct {
	platform string
	name     string // file name
	modules  []module
}

type entry = tarfile.Entry

// buildArchives writes an archive for each platform.
func (r *release) buildArchives(ctx context.Context) error {
	completions, err := r.completions(ctx)
	if err != nil {
		return err
	}
	rootFiles, err := r.rootFiles(ctx)
	if err != nil {
		return err
	}
	examples, err := r.files(ctx, "docs/examples") // the documentation refers to them
	if err != nil {
		return err
	}
	shared := slices.Concat(completions, rootFiles, examples)
	for _, platform := range r.platforms {
		if err := r.buildArchive(ctx, platform, shared); err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
	}
	return nil
}

// buildArchive writes the archive for a platform: the program, its licenses, and files that all platforms share.
func (r *release) buildArchive(ctx context.Context, platform string, shared []entry) error {
	a := archive{
		platform: platform,
		name:     fmt.Sprintf("%s_%s_%s.tar.gz", program, r.version, strings.ReplaceAll(platform, "/", "_")),
	}
	binary, err := os.ReadFile(r.programPath(platform))
	if err != nil {
		return err
	}
	var texts []entry
	if a.modules, texts, err = r.licenses(ctx, platform); err != nil {
		return err
	}
	entries := slices.Concat(shared, []entry{{Name: programFileName(platform), Mode: 0o755, Content: binary}}, texts)
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.Name, b.Name) })
	pack := packTarGz
	if strings.HasPrefix(platform, "windows/") {
		a.name = strings.TrimSuffix(a.name, ".tar.gz") + ".zip"
		pack = packZip
	}
	content, err := pack(entries, r.source.time)
	if err != nil {
		return err
	}
	r.archives = append(r.archives, a)
	return r.addFile(a.name, content)
}

// rootFiles returns the license, and the Markdown files in the root of the repository with absolute links.
func (r *release) rootFiles(ctx context.Context) ([]entry, error) {
	entries, err := r.files(ctx, "LICENSE", "README.md", "CHANGELOG.md")
	if err != nil {
		return nil, err
	}
	for i, e := range entries {
		if path.Ext(e.Name) == ".md" {
			entries[i].Content = r.withAbsoluteLinks(e.Content)
		}
	}
	return entries, nil
}

// completions returns the completion scripts of all shells that the program supports.
func (r *release) completions(ctx context.Context) (entries []entry, err error) {
	for shell, file := range map[string]string{
		"bash": "claimbridge.bash", "zsh": "_claimbridge", "fish": "claimbridge.fish", "powershell": "claimbridge.ps1",
	} {
		script, err := r.runProgram(ctx, "completion", shell)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{Name: "completions/" + file, Mode: 0o644, Content: script})
	}
	return entries, nil
}

// packTarGz returns a tar.gz archive of the entries.
func packTarGz(entries []entry, modTime time.Time) ([]byte, error) {
	var packed bytes.Buffer
	// The best compression would save half a percent, and take more than twice as long.
	compressed := gzip.NewWriter(&packed)
	err := errors.Join(tarfile.Write(compressed, modTime, entries...), compressed.Close())
	return packed.Bytes(), err
}

// packZip returns a zip archive of the entries.
func packZip(entries []entry, modTime time.Time) ([]byte, error) {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for _, e := range entries {
		header := &zip.FileHeader{Name: e.Name, Method: zip.Deflate, Modified: modTime}
		header.SetMode(e.Mode)
		file, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := file.Write(e.Content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return packed.Bytes(), err
}
