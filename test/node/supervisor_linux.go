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

	"github.com/claimbridge/claimbridge/test/node/requirements"
)

// supervisor is the script that creates the namespaces of a node, and deletes all its objects at the end, even if the
// tests are killed.
type supervisor struct {
	process *exec.Cmd
	stdin   io.Closer // the supervisor deletes the node when stdin is closed
}

// supervisorCommand returns a command that runs an operation of the script on the node in a slot. Its environment has
// only the content of the slot and PATH.
func supervisorCommand(ctx context.Context, slot, operation string) (*exec.Cmd, error) {
	environ, err := os.ReadFile(slot)
	script := exec.CommandContext(ctx, "bash", filepath.Join(requirements.NodeDir(), "supervisor.sh"), operation)
	script.Env = append(strings.Split(string(environ), "\n"), "PATH="+os.Getenv("PATH"))
	return script, err
}

// startSupervisor starts the supervisor and waits until the node's namespaces are ready.
func (c *Cluster) startSupervisor(ctx context.Context) error {
	if err := c.node.writeSlot(c.slot.Name(), c.programs); err != nil {
		return err
	}
	// Cancellation must not kill the supervisor, because it has to clean up.
	script, err := supervisorCommand(context.WithoutCancel(ctx), c.slot.Name(), "run")
	if err != nil {
		return err
	}
	log, err := os.Create(c.logFile("supervisor"))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	script.Stderr = log
	script.ExtraFiles = []*os.File{c.slot}
	script.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C must not reach it
	stdin, err := script.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := script.StdoutPipe()
	if err != nil {
		return err
	}
	if err := script.Start(); err != nil {
		return fmt.Errorf("start the supervisor of the node: %w", err)
	}
	c.supervisor = &supervisor{process: script, stdin: stdin}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = stdout.Close() })() // ends Fscan
	var ready string
	if _, err := fmt.Fscan(stdout, &c.node.Init, &ready); err != nil { // EOF if the supervisor has exited
		return fmt.Errorf("the node did not start: %w\n%s", errors.Join(err, ctx.Err()), c.logTail("supervisor"))
	}
	return nil
}

// stop makes the supervisor delete the node, and waits until it has done so.
func (s *supervisor) stop() error {
	// The supervisor itself waits up to 30 seconds for each kind of object.
	kill := time.AfterFunc(timeout, func() { _ = s.process.Process.Kill() })
	defer kill.Stop()
	return errors.Join(s.stdin.Close(), s.process.Wait())
}
