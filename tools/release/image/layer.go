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

// layer has the programs, which all users can read and run and none can change, and an empty /tmp for all users.
//
// The server writes no file, and in the manifests its root is read-only. But the image is also run
// by hand, and claimbridge convert keeps what it has to read twice in a temporary file. There are
// no CA certificates: all that the programs speak TLS to is the API server, whose CA they find in
// the pod's service account or in a kubeconfig. There is no /etc/passwd: the user is a number.
func layer(programs []tape.Entry, entrypoint string, created time.Time) (v1.Layer, error) {
	programs[0].Name = entrypoint[1:] // it may be called otherwise on this machine
	var files bytes.Buffer
	if err := tape.Tar(&files, created, append(programs, tape.Entry{Name: "tmp/", Mode: 0o1777})...); err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(files.Bytes())), nil }
	return tarball.LayerFromOpener(open, tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching)
}
