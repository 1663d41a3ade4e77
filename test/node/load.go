package node

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/claimbridge/claimbridge/test/node/image"
)

// loadFirst what the node has from the start: the image of pods, and those of the options.
func (c *Cluster) loadFirst(ctx context.Context, images []string) error {
	pause, err := image.Build(ctx, c.node.Folder, pauseImage, c.own("pause"))
	if err != nil {
		return err
	}
	if err := c.until(ctx, "containerd", "it does not answer", func(ctx context.Context) error {
		output, err := c.ctr(ctx, "version").CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, output)
		}
		return nil
	}); err != nil {
		return err
	}
	return c.Load(ctx, append([]string{pause}, images...)...)
}

// Load OCI archives, files that may be gzipped, into the node. Pods have their images as if they had been pulled, by tag and by digest; those whose policy is
// IfNotPresent run.
func (c *Cluster) Load(ctx context.Context, archives ...string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, archive := range archives {
		begun := time.Now()
		if err := c.load(ctx, archive); err != nil {
			return err
		}
		c.say("loaded %s in %s", filepath.Base(archive), time.Since(begun).Round(10*time.Millisecond))
	}
	return nil
}

func (c *Cluster) load(ctx context.Context, archive string) (err error) {
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	names, err := byDigest(file)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return fmt.Errorf("load %s: %w", archive, err)
	}
	load := c.ctr(ctx, "images", "import", "--snapshotter=overlayfs", "-")
	load.Stdin = file
	if output, err := load.CombinedOutput(); err != nil {
		return fmt.Errorf("load %s: %w: %s\n%s", archive, err, output, c.tail("containerd"))
	}
	for name, digest := range names {
		if output, err := c.ctr(ctx, "images", "tag", "--force", name, digest).CombinedOutput(); err != nil {
			return fmt.Errorf("name %s of %s: %w: %s", digest, archive, err, output)
		}
	}
	return nil
}

// ctr is containerd's own client, where kubelet's images and containers are.
func (c *Cluster) ctr(ctx context.Context, args ...string) *exec.Cmd {
	return c.In(ctx, append([]string{"ctr", "--namespace=k8s.io"}, args...)...)
}
