// Command up keeps a cluster of one node running until Ctrl-C, with the images of this checkout,
// and prints how to reach it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/claimbridge/claimbridge/test/node"
	"github.com/claimbridge/claimbridge/test/node/drivers"
	"github.com/claimbridge/claimbridge/test/node/image"
	"github.com/claimbridge/claimbridge/test/node/requirements"
)

// images that the node has, each made of this checkout when it is asked for. This is the place to add one.
var images = []func(ctx context.Context, folder string) (archive, name string, err error){
	image.Claimbridge, drivers.Driver(drivers.Older), drivers.Devices,
}

func main() {
	var more []string
	flag.Func("image", "OCI archive, a file, of one more image that the node shall have; may be given several times",
		func(file string) error {
			more = append(more, file)
			return nil
		})
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Stdout, more)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:forbidigo // a separate program
	}
}

// run a cluster until there is no context any more, with images of archives beside its own.
func run(ctx context.Context, out io.Writer, more []string) (err error) {
	if err := requirements.Check(); err != nil { // before images are built, which takes minutes
		return err
	}
	folder, err := os.MkdirTemp("", "claimbridge-node-images-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	var archives, names []string
	for _, image := range images {
		archive, name, err := image(ctx, folder)
		if err != nil {
			return err
		}
		archives, names = append(archives, archive), append(names, name)
	}
	c, err := node.Start(ctx, node.Options{Images: append(archives, more...), Log: os.Stderr})
	if err != nil {
		return err
	}
	defer func() {
		_, _ = fmt.Fprintln(out, "stopping")
		err = errors.Join(err, c.Stop())
	}()
	if err := share(c); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(out, `
A cluster of one node runs, until Ctrl-C. In another shell:

    export KUBECONFIG=%s
    export PATH=%s:$PATH   # kubectl of its release
    kubectl get nodes

It has these images, and pulls none:

`, c.Kubeconfig(), filepath.Dir(c.Kubectl()))
	for _, name := range names {
		_, _ = fmt.Fprintln(out, "    "+name)
	}
	for _, archive := range more {
		_, _ = fmt.Fprintln(out, "    what is in "+archive)
	}
	_, _ = fmt.Fprintf(out, `
What to try: docs/quick-start.md, with go install ./cmd/claimbridge and image=%s.
Logs of its programs are in %s.
`, names[0], c.Logs())
	if err := c.Wait(ctx); err != nil {
		kept, lost := c.KeepLogs()
		if lost != nil {
			return errors.Join(err, lost)
		}
		return fmt.Errorf("%w\nthe logs of all programs are kept in %s", err, kept)
	}
	return nil
}

// share the kubeconfig with who called sudo.
func share(c *node.Cluster) error {
	user, err := strconv.Atoi(os.Getenv("SUDO_UID"))
	if err != nil {
		return nil //nolint:nilerr // sudo is not used
	}
	//nolint:gosec // to be passed through, not read
	return errors.Join(os.Chmod(filepath.Dir(c.Kubeconfig()), 0o711), os.Chown(c.Kubeconfig(), user, -1))
}
