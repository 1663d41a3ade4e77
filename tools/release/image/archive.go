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

	"github.com/claimbridge/claimbridge/tools/release/internal/tarfile"
)

// saveArchive writes the image to a file, as a tar archive of an OCI layout. The file is replaced atomically.
func saveArchive(image imageOrIndex, o *options) error {
	folder, err := os.MkdirTemp("", "image-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if err := writeLayout(image, folder, o); err != nil {
		return err
	}
	entries, err := readEntries(os.DirFS(folder))
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(o.output), ".image-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	if err := errors.Join(tarfile.Write(file, time.Unix(0, 0), entries...), file.Chmod(0o644), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), o.output)
}

// writeLayout writes the image to a folder as an OCI layout. containerd reads the name from the first annotation. Other
// tools read the tag from the second one.
func writeLayout(m imageOrIndex, folder string, o *options) error {
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

// writeDockerManifest writes manifest.json. Docker without the containerd image store does not support indexes, and
// reads only this file.
func writeDockerManifest(image v1.Image, folder, name string) error {
	imageManifest, err := image.Manifest()
	if err != nil {
		return err
	}
	blobPath := func(h v1.Hash) string { return "blobs/" + h.Algorithm + "/" + h.Hex }
	dockerImage := struct {
		Config   string
		RepoTags []string
		Layers   []string
	}{Config: blobPath(imageManifest.Config.Digest), RepoTags: []string{name}}
	for _, layer := range imageManifest.Layers {
		dockerImage.Layers = append(dockerImage.Layers, blobPath(layer.Digest))
	}
	content, err := json.Marshal([]any{dockerImage})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "manifest.json"), content, 0o644)
}

// readEntries returns all files and folders, sorted by name.
func readEntries(files fs.FS) (entries []tarfile.Entry, err error) {
	err = fs.WalkDir(files, ".", func(path string, dirEntry fs.DirEntry, err error) error {
		if err != nil || path == "." {
			return err
		}
		if dirEntry.IsDir() {
			entries = append(entries, tarfile.Entry{Name: path + "/", Mode: 0o755})
			return nil
		}
		content, err := fs.ReadFile(files, path)
		entries = append(entries, tarfile.Entry{Name: path, Mode: 0o644, Content: content})
		return err
	})
	return entries, err
}
