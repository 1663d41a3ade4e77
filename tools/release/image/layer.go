package main

import (
	"bytes"
	"io"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/claimbridge/claimbridge/tools/release/internal/tarfile"
)

// buildLayer returns the only layer of the image: the programs, which all users can run but not change, and an empty
// /tmp that all users can write to.
//
// The server writes no files, and its root file system is read-only in the manifests. /tmp is for users who run the
// image by hand: `claimbridge convert` writes temporary files. There are no CA certificates, because the programs only
// connect to the API server, whose CA is in the service account of the pod or in a kubeconfig. There is no /etc/passwd,
// because the user is a number.
func buildLayer(programs []tarfile.Entry, entrypoint string, created time.Time) (v1.Layer, error) {
	programs[0].Name = entrypoint[1:] // the file name on this machine may differ
	var files bytes.Buffer
	if err := tarfile.Write(&files, created, append(programs, tarfile.Entry{Name: "tmp/", Mode: 0o1777})...); err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(files.Bytes())), nil }
	return tarball.LayerFromOpener(open, tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching)
}
