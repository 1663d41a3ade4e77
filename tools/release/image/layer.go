package main

import (
	"bytes"
	"io"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/claimbridge/claimbridge/tools/release/internal/tape"
)

// layer returns the only layer of the image: the programs, which all users can run and none can change, and an empty
// /tmp for all users.
//
// The server writes no files, and its root file system is read-only in the manifests. /tmp is for users who run the
// image by hand: `claimbridge convert` writes temporary files. There are no CA certificates, because the programs only
// connect to the API server, whose CA is in the service account of the pod or in a kubeconfig. There is no /etc/passwd,
// because the user is a number.
func layer(programs []tape.Entry, entrypoint string, created time.Time) (v1.Layer, error) {
	programs[0].Name = entrypoint[1:] // its name on this machine may differ
	var files bytes.Buffer
	if err := tape.Tar(&files, created, append(programs, tape.Entry{Name: "tmp/", Mode: 0o1777})...); err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(files.Bytes())), nil }
	return tarball.LayerFromOpener(open, tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching)
}
