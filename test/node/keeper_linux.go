package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/claimbridge/claimbridge/test/node/internal/remains"
	"github.com/claimbridge/claimbridge/test/node/internal/spec"
)

// keeper of a node: the program that makes it, and cleans up after it even when the tests are killed.
type keeper struct {
	process *exec.Cmd
	lives   *os.File // open for as long as the node is to live
	place   *os.File
}

// keep the node: start its keeper, and go on when the node is there.
func (c *Cluster) keep(ctx context.Context) error {
	file := filepath.Join(c.node.Folder, "node.json")
	// The keeper writes more into the place once there is more. Were it killed before, this is what there is.
	if err := errors.Join(c.buildOwn(ctx), c.node.Write(file), c.node.Write(c.place.Name())); err != nil {
		return err
	}
	log, err := os.Create(c.logFile("keeper"))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	hears, lives, err := os.Pipe()
	if err != nil {
		return err
	}
	events, tells, err := os.Pipe()
	if err != nil {
		return errors.Join(err, hears.Close(), lives.Close())
	}
	k := exec.Command(c.own("keeper"), file) // not of the context: it ends when it is told so
	k.Stdout, k.Stderr, k.ExtraFiles = log, log, []*os.File{hears, tells, c.place}
	k.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C is for this process
	err = k.Start()
	_, _ = hears.Close(), tells.Close()
	if err != nil {
		return errors.Join(fmt.Errorf("start the keeper of the node: %w", err), lives.Close(), events.Close())
	}
	c.keeper = &keeper{process: k, lives: lives, place: c.place}
	said := make(chan spec.Event, 1)
	go func() {
		e := spec.Event{How: "its first process ended"}
		_ = json.NewDecoder(events).Decode(&e) // when there is none, it has ended
		said <- e
		_ = events.Close()
	}()
	select {
	case e := <-said:
		if !e.Ready {
			return fmt.Errorf("the node did not come up: %s\n%s", e.How, c.tail("keeper"))
		}
		written, err := spec.Read(c.place.Name())
		if err == nil && written == nil {
			err = fmt.Errorf("%s is empty", c.place.Name())
		}
		if err == nil {
			c.node = written
		}
		return err
	case <-time.After(patience):
		return fmt.Errorf("the node did not come up in %s\n%s", patience, c.tail("keeper"))
	case <-ctx.Done():
		return ctx.Err()
	}
}

// close the node, and wait until its keeper has cleaned up.
func (k *keeper) close() error {
	err := k.lives.Close()
	ended := make(chan error, 1)
	go func() { ended <- k.process.Wait() }()
	select {
	case how := <-ended:
		return errors.Join(err, how)
	case <-time.After(2 * remains.Patience):
		_ = k.process.Process.Kill() // and with it, by the kernel, the node
		return errors.Join(err, errors.New("its keeper did not end"), <-ended)
	}
}
