package main

import (
	"archive/tar"
	"bytes"
	"io"
	"path"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// layer has the program, which everybody may read and run and nobody change, and an empty /tmp for everybody.
//
// The server writes no file, and in the manifests its root is read-only. But the image is also run by hand, and claimbridge convert keeps
// what it has to read twice in a temporary file. There are no CA certificates: all that the programs speak TLS to is the API server, whose
// CA they find in the pod's service account or in a kubeconfig. There is no /etc/passwd: the user is a number.
func layer(content []byte, at string, created time.Time) (v1.Layer, error) {
	var files bytes.Buffer
	w := tar.NewWriter(&files)
	for _, folder := range parents(at) {
		if err := w.WriteHeader(&tar.Header{Name: folder, Typeflag: tar.TypeDir, Mode: 0o755, ModTime: created, Format: tar.FormatPAX}); err != nil {
			return nil, err
		}
	}
	program := &tar.Header{Name: strings.TrimPrefix(at, "/"), Typeflag: tar.TypeReg, Mode: 0o555, Size: int64(len(content)), ModTime: created, Format: tar.FormatPAX}
	if err := w.WriteHeader(program); err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.WriteHeader(&tar.Header{Name: "tmp/", Typeflag: tar.TypeDir, Mode: 0o1777, ModTime: created, Format: tar.FormatPAX}); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(files.Bytes())), nil }
	return tarball.LayerFromOpener(open, tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching)
}

// parents of a file but /tmp, the outermost first, as a tar names them.
func parents(file string) (folders []string) {
	for folder := strings.TrimPrefix(path.Dir(file), "/"); folder != "" && folder != "."; folder = path.Dir(folder) {
		if folder != "tmp" {
			folders = append([]string{folder + "/"}, folders...)
		}
	}
	return folders
}
