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

// loadFirst what the node has from the start: the image of pods, and those of the options.
func (c *Cluster) loadFirst(ctx context.Context) error {
	pause, err := image.Package(ctx, c.node.Folder, pauseImage, "./test/node/pause")
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
	return c.Load(ctx, append([]string{pause}, c.options.Images...)...)
}

// Load OCI archives, files that may be gzipped, into the node. Pods have their images as if they
// had been pulled, by tag and by digest; those whose policy is IfNotPresent run.
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
	load := c.ctr(ctx, "images", "import", "--snapshotter=overlayfs", "-")
	load.Stdin = file
	if output, err := load.CombinedOutput(); err != nil {
		return fmt.Errorf("load %s: %w: %s\n%s", archive, err, output, c.tail("containerd"))
	}
	return c.nameByDigest(ctx)
}

// tagged is a line of an image with a tag: its name, the tag, its type and its digest.
var tagged = regexp.MustCompile(`(?m)^([^\s@]+/[^\s@:]+)(:\S+) +\S+ +(sha256:\S+)`)

// nameByDigest adds the name with the digest to all images that have a tag. A pulled image has both, and manifests of
// releases use the digest.
func (c *Cluster) nameByDigest(ctx context.Context) error {
	list, err := c.ctr(ctx, "images", "list").Output()
	if err != nil {
		return fmt.Errorf("list images: %w", err)
	}
	for _, image := range tagged.FindAllStringSubmatch(string(list), -1) {
		name, tag, digest := image[1], image[2], image[3]
		output, err := c.ctr(ctx, "images", "tag", "--force", name+tag, name+"@"+digest).CombinedOutput()
		if err != nil {
			return fmt.Errorf("name %s%s by its digest: %w: %s", name, tag, err, output)
		}
	}
	return nil
}

// ctr is containerd's own client, where kubelet's images and containers are.
func (c *Cluster) ctr(ctx context.Context, args ...string) *exec.Cmd {
	return c.In(ctx, append([]string{"ctr", "--namespace=k8s.io"}, args...)...)
}
