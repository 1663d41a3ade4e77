package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"

	"github.com/claimbridge/claimbridge/tools/release/internal/tape"
)

// save writes the image as a tar of an OCI layout. The file is replaced atomically.
func save(m manifest, o *options) error {
	folder, err := os.MkdirTemp("", "image-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if err := write(m, folder, o); err != nil {
		return err
	}
	entries, err := read(os.DirFS(folder))
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(o.output), ".image-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	if err := errors.Join(tape.Tar(file, time.Unix(0, 0), entries...), file.Chmod(0o644), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), o.output)
}

// write writes the layout to a folder. containerd reads the name from the first annotation. Other tools read the tag
// from the second one.
func write(m manifest, folder string, o *options) error {
	layoutFolder, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	annotations := layout.WithAnnotations(map[string]string{
		"io.containerd.image.name":          o.name.Name(),
		"org.opencontainers.image.ref.name": o.name.TagStr(),
	})
	if index, ok := m.(v1.ImageIndex); ok {
		return layoutFolder.AppendIndex(index, annotations)
	}
	image := m.(v1.Image)
	p := o.programs[0]
	if err := layoutFolder.AppendImage(image, annotations,
		layout.WithPlatform(v1.Platform{OS: p.os, Architecture: p.arch})); err != nil {
		return err
	}
	return writeDockerManifest(image, folder, o.name.Name())
}

// writeDockerManifest writes manifest.json for Docker without the containerd image store, which does not support
// indexes and reads only this file.
func writeDockerManifest(image v1.Image, folder, name string) error {
	imageManifest, err := image.Manifest()
	if err != nil {
		return err
	}
	blob := func(h v1.Hash) string { return "blobs/" + h.Algorithm + "/" + h.Hex }
	entry := struct {
		Config   string
		RepoTags []string
		Layers   []string
	}{Config: blob(imageManifest.Config.Digest), RepoTags: []string{name}}
	for _, layer := range imageManifest.Layers {
		entry.Layers = append(entry.Layers, blob(layer.Digest))
	}
	content, err := json.Marshal([]any{entry})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "manifest.json"), content, 0o644)
}

// read returns all files in the order of their names.
func read(files fs.FS) (entries []tape.Entry, err error) {
	err = fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || path == ".":
			return err
		case entry.IsDir():
			entries = append(entries, tape.Entry{Name: path + "/", Mode: 0o755})
			return nil
		}
		content, err := fs.ReadFile(files, path)
		entries = append(entries, tape.Entry{Name: path, Mode: 0o644, Content: content})
		return err
	})
	return entries, err
}
