// Package process runs programs during a test.
package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/logs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Process is a running program.
type Process struct {
	// Log has stdout and stderr.
	Log *logs.Log
	*os.Process

	exited chan struct{}
}

// Start starts a program. It is terminated with SIGTERM when the test ends. If the test fails, its output is logged.
// The Stdout of the command also gets the output.
func Start(t testing.TB, command *exec.Cmd) *Process {
	t.Helper()
	p := &Process{Log: logs.New(t, filepath.Base(command.Path)), exited: make(chan struct{})}
	var output io.Writer = p.Log
	if command.Stdout != nil {
		output = io.MultiWriter(p.Log, command.Stdout)
	}
	command.Stdout, command.Stderr = output, output
	must.Do(t, command.Start())
	p.Process = command.Process
	go func() {
		_ = command.Wait()
		close(p.exited)
	}()
	t.Cleanup(func() {
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// Memory returns the memory of the process in bytes: see [Memory].
func (p *Process) Memory(field string) (int64, error) { return Memory(p.Pid, field) }

// Memory returns a field of /proc/PID/status in bytes: VmRSS is resident memory, RssAnon is resident memory without
// pages of files, and VmHWM is the peak of VmRSS.
func Memory(pid int, field string) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, line, found := strings.Cut(string(status), "\n"+field+":")
	if !found {
		return 0, fmt.Errorf("status of process %d has no %s: the process may have exited", pid, field)
	}
	kib, err := strconv.ParseInt(strings.Fields(line)[0], 10, 64)
	return kib << 10, err
}

// Pause stops the process with SIGSTOP, and waits until all its threads have stopped.
func (p *Process) Pause() error {
	if err := p.Signal(unix.SIGSTOP); err != nil {
		return err
	}
	for {
		if err := unix.Waitid(unix.P_PID, p.Pid, nil, unix.WSTOPPED, nil); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// Resume continues the process after [Process.Pause].
func (p *Process) Resume() error { return p.Signal(unix.SIGCONT) }

// Stop terminates the process with SIGTERM. It returns an error if the process does not exit. Its exit code is
// ignored.
func (p *Process) Stop() error {
	if err := p.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return errors.Join(err, p.Kill())
	}
	select {
	case <-p.exited:
		return nil
	case <-time.After(await.Timeout):
		return errors.Join(fmt.Errorf("process %d does not exit after SIGTERM", p.Pid), p.Kill())
	}
}

// Kill kills the process, and waits until it has exited.
func (p *Process) Kill() error {
	err := p.Process.Kill()
	<-p.exited
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}
