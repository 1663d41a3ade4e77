//go:build unix

package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestAtomicLeavesNoTemporaryFile checks that convert --atomic leaves no temporary file after SIGINT, SIGTERM or
// SIGKILL.
func TestAtomicLeavesNoTemporaryFile(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			tmp := t.TempDir()
			cmd := program(t.Context(), t, "convert", "--to", "v1alpha3", "--atomic")
			cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
			stdin := must.Get(cmd.StdinPipe())(t)
			must.Do(t, cmd.Start())
			defer func() { _ = cmd.Process.Kill() }()
			for i := range 2000 { // several parts, of which some are written to the file
				fmt.Fprintf(stdin,
					`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"secret-%d"}}`+
						"\n",
					i)
			}
			file := waitForTemporaryFile(t, cmd.Process.Pid)
			must.Do(t, cmd.Process.Signal(signal))
			if err := cmd.Wait(); err == nil {
				t.Fatal("exit code 0")
			}
			remaining, err := os.ReadDir(tmp)
			if err != nil || len(remaining) > 0 {
				t.Errorf("%v, %v remains of %s", err, remaining, file)
			}
		})
	}
}

// waitForTemporaryFile waits until the process has written to its temporary file, and returns the name of the file.
func waitForTemporaryFile(t *testing.T, pid int) string {
	t.Helper()
	descriptors := fmt.Sprintf("/proc/%d/fd", pid)
	if _, err := os.Stat(descriptors); err != nil {
		t.Skip("the system has no /proc/PID/fd")
	}
	for range 1000 {
		links, _ := filepath.Glob(descriptors + "/*")
		for _, link := range links {
			target, _ := os.Readlink(link)
			info, err := os.Stat(link)
			if err == nil && strings.Contains(target, "claimbridge-") && info.Mode().IsRegular() &&
				info.Size() > 10_000 {
				return target
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the process has no temporary file")
	return ""
}

// program returns a command that runs the test binary as claimbridge: see TestMain.
func program(ctx context.Context, t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self := must.Get(os.Executable())(t)
	link := filepath.Join(t.TempDir(), "claimbridge")
	must.Do(t, os.Symlink(self, link))
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Args[0] = "claimbridge"
	cmd.Path = link
	return cmd
}
