// Command image makes an OCI image of a static program, without a daemon and without a registry:
// the program and a /tmp, and nothing else. The same program gives the same bytes, and so the same
// digest, each time.
//
// The archive is an OCI layout in a tar, with the image's name in it: ctr images import, nerdctl
// load, podman load and skopeo take it, and so does docker load where Docker keeps images in
// containerd. Where it does not, docker load takes an archive of one platform.
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

// patience is how long a push may take: an image of 30 MB for each of two platforms, at 1 Mbit/s, takes eight minutes.
const patience = 15 * time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

// run what the arguments say, and print the image's name with its digest.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	made, err := build(o)
	if err != nil {
		return err
	}
	digest, err := made.Digest()
	if err != nil {
		return err
	}
	if o.output != "" {
		if err := save(made, o); err != nil {
			return fmt.Errorf("%s: %w", o.output, err)
		}
	}
	if o.push {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		// What the registry has already is not sent again.
		err := remote.Push(o.name, made, remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain))
		if err != nil {
			return fmt.Errorf("push %s: %w", o.name, err)
		}
	}
	_, err = fmt.Fprintf(stdout, "%s@%s\n", o.name, digest)
	return err
}
