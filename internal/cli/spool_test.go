//go:build unix

package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestAtomicLeavesNoTemporaryFile checks that convert --atomic leaves no temporary file after any signal.
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
			spool := waitForSpool(t, cmd.Process.Pid)
			must.Do(t, cmd.Process.Signal(signal))
			if err := cmd.Wait(); err == nil {
				t.Fatal("exit code 0")
			}
			remaining, err := os.ReadDir(tmp)
			if err != nil || len(remaining) > 0 {
				t.Errorf("%v, %v remains of %s", err, remaining, spool)
			}
		})
	}
}

// waitForSpool waits until the process has written to its temporary file, and returns the name of the file.
func waitForSpool(t *testing.T, pid int) string {
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

// TestNamedPipes checks that a named pipe in a folder is skipped, and that one on the command line is read.
func TestNamedPipes(t *testing.T) {
	folder := t.TempDir()
	pipe := filepath.Join(folder, "pipe.yaml")
	must.Do(t, syscall.Mkfifo(pipe, 0o600))
	must.Do(t, os.Symlink(pipe, filepath.Join(folder, "symlink.yaml")))
	const claim = "apiVersion: resource.k8s.io/v1alpha2\nkind: ResourceClaim\nmetadata: {name: a}\nspec: " +
		"{resourceClassName: c}\n"
	must.Do(t, os.WriteFile(filepath.Join(folder, "z.yaml"), []byte(claim), 0o600))
	for command, want := range map[string]string{
		"convert --to v1alpha3": "1 converted to v1alpha3, 0 unchanged, 0 of other kinds, 0 failed, 2 warnings\n",
		"validate":              "",
		"validate --operation update --old " + folder: "",
	} {
		stderr := runProgram(t, append(strings.Fields(command), folder)...)
		for _, name := range []string{"pipe", "symlink"} {
			line := fmt.Sprintf("%s/%s.yaml: warning: is a named pipe, skipped; name it with -f to read it "+
				"(skipped-file)\n",
				folder, name)
			if !strings.Contains(stderr, line) {
				t.Errorf("%s: %q is missing in %s", command, line, stderr)
			}
		}
		if !strings.HasSuffix(stderr, want) {
			t.Errorf("%s: %s", command, stderr)
		}
	}
	go func() {
		w, err := os.OpenFile(pipe, os.O_WRONLY, 0)
		if err == nil {
			_, _ = io.WriteString(w, claim)
			_ = w.Close()
		}
	}()
	stderr := runProgram(t, "convert", "--to", "v1alpha3", "-f", pipe)
	if stderr != "1 converted to v1alpha3, 0 unchanged, 0 of other kinds, 0 failed, 0 warnings\n" {
		t.Errorf("named: %s", stderr)
	}
}

// runProgram returns the standard error of the program, which must exit with 0 within a minute.
func runProgram(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := program(ctx, t, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %v: %s", args, err, stderr.String())
	}
	return stderr.String()
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
