//go:build linux

// Package remains takes away what a node leaves on the machine: its processes, its link with the routes, its cgroups and
// its folder. What it mounts goes with its processes.
package remains

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/claimbridge/claimbridge/test/node/internal/cgroups"
	"github.com/claimbridge/claimbridge/test/node/internal/spec"
)

// Patience for the kernel to end processes and give up what they had.
const Patience = 30 * time.Second

// Remove all that is there of a node. It may be done again.
func Remove(ctx context.Context, n *spec.Node) error {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	errs := []error{end(ctx, n.Init), unlink(ctx, n.Link)}
	for _, folder := range n.Cgroups {
		errs = append(errs, until(ctx, folder+" cannot be removed", func() (bool, error) {
			err := cgroups.Remove(folder)
			return err == nil, err
		}))
	}
	if n.Temporary {
		errs = append(errs, os.RemoveAll(n.Folder))
	}
	return errors.Join(errs...)
}

// unlink a node. Routes through the link go with it.
func unlink(ctx context.Context, link string) error {
	if _, err := os.Stat(filepath.Join("/sys/class/net", link)); err != nil {
		return nil //nolint:nilerr // there is none
	}
	output, err := exec.CommandContext(ctx, "ip", "link", "delete", link).CombinedOutput()
	if _, gone := os.Stat(filepath.Join("/sys/class/net", link)); err != nil && gone == nil {
		return fmt.Errorf("ip link delete %s: %w: %s", link, err, output)
	}
	return nil
}

// every is how long to wait before looking again.
const every = 20 * time.Millisecond

// until something is so, or there is no time left.
func until(ctx context.Context, what string, is func() (bool, error)) error {
	for {
		ok, err := is()
		if ok {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("%s: %w", what, ctx.Err()), err)
		case <-time.After(every):
		}
	}
}
