package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// archive of the program for a platform.
type archive struct {
	platform string
	name     string // of its file
	modules  []linked
}

// entry of an archive.
type entry struct {
	name    string
	mode    fs.FileMode
	content []byte
}

func (r *release) makeArchives(ctx context.Context) error {
	shared, err := r.completions(ctx)
	if err != nil {
		return err
	}
	pages, err := r.pages()
	if err != nil {
		return err
	}
	shared = append(shared, pages...)
	examples, err := r.examples(ctx)
	if err != nil {
		return err
	}
	shared = append(shared, examples...)
	for _, platform := range r.platforms {
		if err := r.makeArchive(ctx, platform, shared); err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
	}
	return nil
}

func (r *release) makeArchive(ctx context.Context, platform string, shared []entry) error {
	a := archive{platform: platform, name: fmt.Sprintf("%s_%s_%s.tar.gz", program, r.version, strings.ReplaceAll(platform, "/", "_"))}
	binary, err := os.ReadFile(r.file(platform))
	if err != nil {
		return err
	}
	var texts []entry
	if a.modules, texts, err = r.licences(ctx, platform); err != nil {
		return err
	}
	entries := slices.Concat(shared, []entry{{programOf(platform), 0o755, binary}}, texts)
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	pack := packTar
	if strings.HasPrefix(platform, "windows/") {
		a.name = strings.TrimSuffix(a.name, ".tar.gz") + ".zip"
		pack = packZip
	}
	content, err := pack(entries, r.source.time)
	if err != nil {
		return err
	}
	r.built = append(r.built, a)
	return r.put(a.name, content)
}

// pages at the root of the repository, whose links lead on without it, and the licence.
func (r *release) pages() (entries []entry, err error) {
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		content, err := os.ReadFile(filepath.Join(r.root, name))
		if err != nil {
			return nil, err
		}
		if path.Ext(name) == ".md" {
			content = r.withLinks(content)
		}
		entries = append(entries, entry{name, 0o644, content})
	}
	return entries, nil
}

// examples that the pages name, by the paths that they have there.
func (r *release) examples(ctx context.Context) (entries []entry, err error) {
	files, err := r.tracked(ctx, "docs/examples")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		content, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(file)))
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{file, 0o644, content})
	}
	return entries, nil
}

// completions for the shells that the program knows.
func (r *release) completions(ctx context.Context) (entries []entry, err error) {
	for shell, file := range map[string]string{
		"bash": "claimbridge.bash", "zsh": "_claimbridge", "fish": "claimbridge.fish", "powershell": "claimbridge.ps1",
	} {
		script, err := r.ask(ctx, "completion", shell)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{"completions/" + file, 0o644, script})
	}
	return entries, nil
}

// packTar makes a tar.gz whose files are all of one time and of nobody.
func packTar(entries []entry, at time.Time) ([]byte, error) {
	var packed bytes.Buffer
	compressed := gzip.NewWriter(&packed) // the best compression saves half a percent, and takes more than twice as long
	w := tar.NewWriter(compressed)
	for _, e := range entries {
		header := &tar.Header{Name: e.name, Typeflag: tar.TypeReg, Mode: int64(e.mode), Size: int64(len(e.content)), ModTime: at, Format: tar.FormatPAX}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if err := compressed.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

func packZip(entries []entry, at time.Time) ([]byte, error) {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for _, e := range entries {
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at}
		header.SetMode(e.mode)
		file, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := file.Write(e.content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
