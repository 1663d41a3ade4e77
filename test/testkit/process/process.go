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

// Process of a program.
type Process struct {
	// Log has both outputs.
	Log *logs.Log
	*os.Process

	ended chan struct{}
}

// Start starts a program. It is terminated with SIGTERM when the test ends. If the test fails, its output is logged.
// The Stdout of the command also gets the output.
func Start(t testing.TB, command *exec.Cmd) *Process {
	t.Helper()
	p := &Process{Log: logs.New(t, filepath.Base(command.Path)), ended: make(chan struct{})}
	var output io.Writer = p.Log
	if command.Stdout != nil {
		output = io.MultiWriter(p.Log, command.Stdout)
	}
	command.Stdout, command.Stderr = output, output
	must.Do(t, command.Start())
	p.Process = command.Process
	go func() {
		_ = command.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		if err := p.Stop(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// Memory of the process in bytes, see [Memory].
func (p *Process) Memory(field string) (int64, error) { return Memory(p.Pid, field) }

// Memory of a process in bytes, by a field: VmRSS for what is resident, RssAnon for that without
// pages of files, VmHWM for the peak so far.
func Memory(pid int, field string) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, line, found := strings.Cut(string(status), "\n"+field+":")
	if !found { // it has ended
		return 0, fmt.Errorf("process %d: its status has no %s", pid, field)
	}
	kib, err := strconv.ParseInt(strings.Fields(line)[0], 10, 64)
	return kib << 10, err
}

// Pause it, and return when each of its threads has stopped: the kernel only asks the first one at once.
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

// Resume it after a pause.
func (p *Process) Resume() error { return p.Signal(unix.SIGCONT) }

// Stop it as a kubelet does. How it ends says nothing: that it does not is an error.
func (p *Process) Stop() error {
	if err := p.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return errors.Join(err, p.Kill())
	}
	select {
	case <-p.ended:
		return nil
	case <-time.After(await.Timeout):
		return errors.Join(fmt.Errorf("process %d does not end", p.Pid), p.Kill())
	}
}

// Kill it.
func (p *Process) Kill() error {
	err := p.Process.Kill()
	<-p.ended
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}
