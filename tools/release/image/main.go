// Command image builds an OCI image of static programs, without a daemon or a registry. The image contains the programs
// and an empty /tmp. Builds are reproducible: the same programs produce the same digest.
//
// The output is a tar archive of an OCI layout with the name of the image. `ctr images import`, `nerdctl load`, `podman
// load` and skopeo accept it. `docker load` accepts it if Docker stores images in containerd. Otherwise, it only
// accepts an archive of one platform.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// pushTimeout is the time limit of a push. Images of 30 MB for two platforms take eight minutes at 1 Mbit/s.
const pushTimeout = 15 * time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

// run builds the image, saves or pushes it, and prints its name with the digest.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	image, err := buildImage(o)
	if err != nil {
		return err
	}
	digest, err := image.Digest()
	if err != nil {
		return err
	}
	if o.output != "" {
		if err := saveArchive(image, o); err != nil {
			return fmt.Errorf("%s: %w", o.output, err)
		}
	}
	if o.push {
		ctx, cancel := context.WithTimeout(ctx, pushTimeout)
		defer cancel()
		// Layers that the registry already has are not sent again.
		err := remote.Push(o.name, image, remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain))
		if err != nil {
			return fmt.Errorf("push %s: %w", o.name, err)
		}
	}
	_, err = fmt.Fprintf(stdout, "%s@%s\n", o.name, digest)
	return err
}
