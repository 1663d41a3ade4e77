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

// imageBuilders build the images of the node from this checkout. Add further images here.
var imageBuilders = []func(ctx context.Context, folder string) (archive, name string, err error){
	image.Claimbridge, drivers.DriverImage(drivers.V1Beta1Version), drivers.DevicesImage,
}

func main() {
	var archives []string
	flag.Func("image", "path of an OCI archive with an additional image for the node; may be repeated",
		func(file string) error {
			archives = append(archives, file)
			return nil
		})
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Stdout, archives)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:forbidigo // a separate program
	}
}

// run runs a cluster until the context ends. The node also gets the images in the given archives.
func run(ctx context.Context, out io.Writer, extraArchives []string) (err error) {
	if err := requirements.Check(); err != nil { // before images are built, which takes minutes
		return err
	}
	folder, err := os.MkdirTemp("", "claimbridge-node-images-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	var archives, names []string
	for _, image := range imageBuilders {
		archive, name, err := image(ctx, folder)
		if err != nil {
			return err
		}
		archives, names = append(archives, archive), append(names, name)
	}
	c, err := node.Start(ctx, node.Options{Images: append(archives, extraArchives...), Log: os.Stderr})
	if err != nil {
		return err
	}
	defer func() {
		_, _ = fmt.Fprintln(out, "stopping")
		err = errors.Join(err, c.Stop())
	}()
	if err := shareKubeconfig(c); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(out, `
A cluster of one node runs until Ctrl-C. In another shell:

    export KUBECONFIG=%s
    export PATH=%s:$PATH   # kubectl of its release
    kubectl get nodes

The node has these images, and cannot pull others:

`, c.Kubeconfig(), filepath.Dir(c.Kubectl()))
	for _, name := range names {
		_, _ = fmt.Fprintln(out, "    "+name)
	}
	for _, archive := range extraArchives {
		_, _ = fmt.Fprintln(out, "    the images in "+archive)
	}
	_, _ = fmt.Fprintf(out, `
To try claimbridge, follow docs/quick-start.md, with go install ./cmd/claimbridge and image=%s.
The logs of the cluster's programs are in %s.
`, names[0], c.Logs())
	if err := c.Wait(ctx); err != nil {
		logDir, keepErr := c.KeepLogs()
		if keepErr != nil {
			return errors.Join(err, keepErr)
		}
		return fmt.Errorf("%w\nthe logs of all programs are kept in %s", err, logDir)
	}
	return nil
}

// shareKubeconfig makes the kubeconfig readable for the user who called sudo.
func shareKubeconfig(c *node.Cluster) error {
	uid, err := strconv.Atoi(os.Getenv("SUDO_UID"))
	if err != nil {
		return nil //nolint:nilerr // sudo is not used
	}
	//nolint:gosec // the folder can be entered, but not listed
	return errors.Join(os.Chmod(filepath.Dir(c.Kubeconfig()), 0o711), os.Chown(c.Kubeconfig(), uid, -1))
}
