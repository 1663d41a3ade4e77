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

// process is a running program in the node.
type process struct {
	nsenter  *exec.Cmd     // the parent of the program, which exits with it
	exited   chan struct{} // closed when the program has exited
	stopping bool          // stop was called, so an exit is expected
}

// status returns how the process exited.
func (p *process) status() string {
	return strings.TrimPrefix(p.nsenter.ProcessState.String(), "signal: ")
}

// startPrograms returns a function that starts programs in the node with their flags.
func (c *Cluster) startPrograms(names ...string) func(context.Context) error {
	return func(context.Context) error {
		for _, name := range names {
			if err := c.startProcess(name, append([]string{name}, c.flags[name]...)...); err != nil {
				return err
			}
		}
		return nil
	}
}

// startProcess starts a command in the node. Its log has the given name.
func (c *Cluster) startProcess(name string, command ...string) error {
	log, err := os.OpenFile(c.logFile(name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	p := &process{nsenter: c.Command(context.Background(), command...), exited: make(chan struct{})}
	p.nsenter.Stdout, p.nsenter.Stderr = log, log
	if err := p.nsenter.Start(); err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.processes[name] = p
	go func() {
		_ = p.nsenter.Wait() // status returns the result
		c.handleExit(name, p)
	}()
	return nil
}

// handleExit records that a process has exited. An unexpected exit makes [Cluster.Wait] return.
func (c *Cluster) handleExit(name string, p *process) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	close(p.exited)
	delete(c.processes, name)
	if !p.stopping {
		select {
		case c.failed <- c.exitError(name, p):
		default: // another process exited earlier
		}
	}
}

func (c *Cluster) exitError(name string, p *process) error {
	return fmt.Errorf("%s has exited: %s\n%s", name, p.status(), c.logTail(name))
}

// stopProcess sends SIGTERM to a process, and SIGKILL if it does not exit. It waits for the exit.
func (c *Cluster) stopProcess(ctx context.Context, name string) error {
	c.mutex.Lock()
	p := c.processes[name]
	if p != nil {
		p.stopping = true
	}
	c.mutex.Unlock()
	if p == nil { // it has already exited
		return nil
	}
	const gracePeriod = 10 * time.Second // kube-apiserver finishes running requests first
	for _, step := range []struct {
		signal  syscall.Signal
		timeout time.Duration
	}{{syscall.SIGTERM, gracePeriod}, {syscall.SIGKILL, timeout}} {
		if err := signalChildren(p.nsenter.Process.Pid, step.signal); err != nil {
			return fmt.Errorf("stop %s: %w", name, err)
		}
		select {
		case <-p.exited:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(step.timeout):
		}
	}
	return fmt.Errorf("%s does not exit after SIGKILL\n%s", name, c.logTail(name))
}

// waitFor waits until a condition returns no error. It fails if the process exits, because the condition depends on it.
// The error has the end of the process's log.
func (c *Cluster) waitFor(ctx context.Context, name, failure string, condition func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	c.mutex.Lock()
	p := c.processes[name]
	c.mutex.Unlock()
	if p == nil {
		return fmt.Errorf("%s has exited\n%s", name, c.logTail(name))
	}
	for {
		err := condition(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.exited:
			return c.exitError(name, p)
		case <-ctx.Done():
			return fmt.Errorf("%s: %s: %w\n%s", name, failure, errors.Join(err, ctx.Err()), c.logTail(name))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (c *Cluster) logFile(name string) string { return filepath.Join(c.Logs(), name+".log") }

// logTail returns the last lines of a log.
func (c *Cluster) logTail(name string) string {
	const count = 15
	data, err := os.ReadFile(c.logFile(name))
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	return fmt.Sprintf("the end of %s:\n%s", c.logFile(name), strings.Join(lines[max(0, len(lines)-count):], "\n"))
}
