package node

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// run of a program.
type run struct {
	enter *exec.Cmd     // nsenter, which ends as the program does, its only child
	ended chan struct{} // closed at its end
	asked bool          // to end
}

// how it ended.
func (r *run) how() string { return strings.TrimPrefix(r.enter.ProcessState.String(), "signal: ") }

// run programs in the node, with their flags.
func (c *Cluster) run(names ...string) func(context.Context) error {
	return func(context.Context) error {
		for _, name := range names {
			if err := c.runAs(name, append([]string{name}, c.flags[name]...)...); err != nil {
				return err
			}
		}
		return nil
	}
}

// runAs runs a command in the node by a name, which is that of its log.
func (c *Cluster) runAs(name string, command ...string) error {
	log, err := os.OpenFile(c.logFile(name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	r := &run{enter: c.In(context.Background(), command...), ended: make(chan struct{})}
	r.enter.Stdout, r.enter.Stderr = log, log
	if err := r.enter.Start(); err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.runs[name] = r
	go func() {
		_ = r.enter.Wait() // its state says how it ended
		c.ended(name, r)
	}()
	return nil
}

func (c *Cluster) ended(name string, r *run) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	close(r.ended)
	delete(c.runs, name)
	if !r.asked {
		select {
		case c.lost <- fmt.Errorf("%s has ended: %s\n%s", name, r.how(), c.tail(name)):
		default: // another one was before it
		}
	}
}

// stop a program: ask it, and after a while do not ask.
func (c *Cluster) stop(ctx context.Context, name string) error {
	c.mutex.Lock()
	r := c.runs[name]
	if r != nil {
		r.asked = true
	}
	c.mutex.Unlock()
	if r == nil { // it has ended by itself
		return nil
	}
	const politely = 10 * time.Second // kube-apiserver lets requests end first
	for _, way := range []struct {
		signal syscall.Signal
		within time.Duration
	}{{syscall.SIGTERM, politely}, {syscall.SIGKILL, patience}} {
		if err := signal(r.enter.Process.Pid, way.signal); err != nil {
			return fmt.Errorf("stop %s: %w", name, err)
		}
		select {
		case <-r.ended:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(way.within):
		}
	}
	return fmt.Errorf("%s was killed, but does not end\n%s", name, c.tail(name))
}

// until something is so that a program must see to. The error has the end of its log.
func (c *Cluster) until(ctx context.Context, name, what string, is func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c.mutex.Lock()
	r := c.runs[name]
	c.mutex.Unlock()
	if r == nil {
		return fmt.Errorf("%s has ended\n%s", name, c.tail(name))
	}
	for {
		err := is(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-r.ended:
			return fmt.Errorf("%s has ended: %s\n%s", name, r.how(), c.tail(name))
		case <-ctx.Done():
			return fmt.Errorf("%s: %s: %w\n%s", name, what, errors.Join(err, ctx.Err()), c.tail(name))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (c *Cluster) logFile(name string) string { return filepath.Join(c.Logs(), name+".log") }

// tail of a log: as much as helps.
func (c *Cluster) tail(name string) string {
	const lines = 15
	data, err := os.ReadFile(c.logFile(name))
	if err != nil {
		return err.Error()
	}
	all := strings.Split(strings.TrimSpace(string(data)), "\n")
	return fmt.Sprintf("the end of %s:\n%s", c.logFile(name), strings.Join(all[max(0, len(all)-lines):], "\n"))
}
