package node

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"github.com/claimbridge/claimbridge/test/node/image"
)

// loadInitialImages waits for containerd, and loads the pause image and those of [Options.Images].
func (c *Cluster) loadInitialImages(ctx context.Context) error {
	pause, err := image.BuildPackage(ctx, c.node.Dir, pauseImage, "./test/node/pause")
	if err != nil {
		return err
	}
	if err := c.waitFor(ctx, "containerd", "containerd does not respond", func(ctx context.Context) error {
		output, err := c.ctr(ctx, "version").CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, output)
		}
		return nil
	}); err != nil {
		return err
	}
	return c.Load(ctx, append([]string{pause}, c.options.Images...)...)
}

// Load loads OCI archives into the node. An archive is a file, which may be gzipped. Pods can use the images by tag and
// by digest as if they were pulled, with imagePullPolicy IfNotPresent or Never.
func (c *Cluster) Load(ctx context.Context, archives ...string) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for _, archive := range archives {
		started := time.Now()
		if err := c.importArchive(ctx, archive); err != nil {
			return err
		}
		c.logf("loaded %s in %s", filepath.Base(archive), time.Since(started).Round(10*time.Millisecond))
	}
	return nil
}

func (c *Cluster) importArchive(ctx context.Context, archive string) (err error) {
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	command := c.ctr(ctx, "images", "import", "--snapshotter=overlayfs", "-")
	command.Stdin = file
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("load %s: %w: %s\n%s", archive, err, output, c.logTail("containerd"))
	}
	return c.addDigestReferences(ctx)
}

// taggedImage matches a line of ctr images list: the repository, the tag, the media type, and the digest of an image.
var taggedImage = regexp.MustCompile(`(?m)^([^\s@]+/[^\s@:]+)(:\S+) +\S+ +(sha256:\S+)`)

// addDigestReferences adds a reference by digest to all images with a tag. A pulled image has both, and manifests of
// releases use the digest.
func (c *Cluster) addDigestReferences(ctx context.Context) error {
	list, err := c.ctr(ctx, "images", "list").Output()
	if err != nil {
		return fmt.Errorf("list images: %w", err)
	}
	for _, match := range taggedImage.FindAllStringSubmatch(string(list), -1) {
		repository, tag, digest := match[1], match[2], match[3]
		output, err := c.ctr(ctx, "images", "tag", "--force", repository+tag, repository+"@"+digest).CombinedOutput()
		if err != nil {
			return fmt.Errorf("add a reference by digest to %s%s: %w: %s", repository, tag, err, output)
		}
	}
	return nil
}

// ctr returns a command of containerd's client, in the namespace that the kubelet uses.
func (c *Cluster) ctr(ctx context.Context, args ...string) *exec.Cmd {
	return c.Command(ctx, append([]string{"ctr", "--namespace=k8s.io"}, args...)...)
}
