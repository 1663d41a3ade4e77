package node

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/claimbridge/claimbridge/test/node/needs"
)

// keeper of a node: the script that makes it, and cleans up after it even when the tests are killed.
type keeper struct {
	process *exec.Cmd
	lives   io.Closer // open for as long as the node is to live
}

// keeperOf the node in a place does something.
func keeperOf(ctx context.Context, place, do string) (*exec.Cmd, error) {
	environ, err := os.ReadFile(place)
	script := exec.CommandContext(ctx, "bash", filepath.Join(needs.Here(), "keeper.sh"), do)
	// and nothing of the user who runs this
	script.Env = append(strings.Split(string(environ), "\n"), "PATH="+os.Getenv("PATH"))
	return script, err
}

// keep the node: start its keeper, and go on when the node is there.
func (c *Cluster) keep(ctx context.Context) error {
	if err := c.node.write(c.place.Name(), c.programs); err != nil {
		return err
	}
	k, err := keeperOf(context.WithoutCancel(ctx), c.place.Name(), "keep") // it ends with a signal
	if err != nil {
		return err
	}
	log, err := os.Create(c.logFile("keeper"))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	k.Stderr, k.ExtraFiles = log, []*os.File{c.place}
	k.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C is for this process
	lives, err := k.StdinPipe()
	if err != nil {
		return err
	}
	events, err := k.StdoutPipe()
	if err != nil {
		return err
	}
	if err := k.Start(); err != nil {
		return fmt.Errorf("start the keeper of the node: %w", err)
	}
	c.keeper = &keeper{process: k, lives: lives}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = events.Close() })() // which ends the wait for what it says
	var ready string
	if _, err := fmt.Fscan(events, &c.node.Init, &ready); err != nil { // when there is no more, it has ended
		return fmt.Errorf("the node did not come up: %w\n%s", errors.Join(err, ctx.Err()), c.tail("keeper"))
	}
	return nil
}

// close the node, and wait until its keeper has cleaned up.
func (k *keeper) close() error {
	// twice 30 seconds for the kernel, and what is slow
	late := time.AfterFunc(patience, func() { _ = k.process.Process.Kill() })
	defer late.Stop()
	return errors.Join(k.lives.Close(), k.process.Wait())
}
