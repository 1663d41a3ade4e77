package main

import (
	"archive/tar"
	"bytes"
	"io"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// layer has the programs, which everybody may read and run and nobody change, and an empty /tmp for everybody.
//
// The server writes no file, and in the manifests its root is read-only. But the image is also run by hand, and claimbridge convert keeps
// what it has to read twice in a temporary file. There are no CA certificates: all that the programs speak TLS to is the API server, whose
// CA they find in the pod's service account or in a kubeconfig. There is no /etc/passwd: the user is a number.
func layer(programs []file, entrypoint string, created time.Time) (v1.Layer, error) {
	var files bytes.Buffer
	w := tar.NewWriter(&files)
	for i, program := range programs {
		if i == 0 { // it may be called otherwise on this machine
			program.name = entrypoint[1:]
		}
		header := &tar.Header{Name: program.name, Typeflag: tar.TypeReg, Mode: 0o555, Size: int64(len(program.content)), ModTime: created, Format: tar.FormatPAX}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(program.content); err != nil {
			return nil, err
		}
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
