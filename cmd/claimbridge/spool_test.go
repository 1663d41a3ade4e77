//go:build unix

package main

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

// However convert --atomic ends, nothing of what it held stays behind.
func TestAtomicLeavesNothingBehind(t *testing.T) {
	for _, end := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(end.String(), func(t *testing.T) {
			tmp := t.TempDir()
			cmd := program(t.Context(), t, "convert", "--to", "v1alpha3", "--atomic")
			cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
			stdin := must.Get(cmd.StdinPipe())(t)
			must.Do(t, cmd.Start())
			defer func() { _ = cmd.Process.Kill() }()
			for i := range 2000 { // several parts, so that some are in the file
				fmt.Fprintf(stdin,
					`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"secret-%d"}}`+
						"\n",
					i)
			}
			held := waitForSpool(t, cmd.Process.Pid)
			must.Do(t, cmd.Process.Signal(end))
			if err := cmd.Wait(); err == nil {
				t.Fatal("it ended well")
			}
			left, err := os.ReadDir(tmp)
			if err != nil || len(left) > 0 {
				t.Errorf("%v, %v is left of %s", err, left, held)
			}
		})
	}
}

// waitForSpool waits until the process holds something in a file of its own.
func waitForSpool(t *testing.T, pid int) string {
	t.Helper()
	descriptors := fmt.Sprintf("/proc/%d/fd", pid)
	if _, err := os.Stat(descriptors); err != nil {
		t.Skip("this system does not tell what a process has open")
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
	t.Fatal("nothing is held in a file")
	return ""
}

// A named pipe in a folder is skipped and not waited for; one that is named is read.
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
		said := runProgram(t, append(strings.Fields(command), folder)...)
		for _, name := range []string{"pipe", "symlink"} {
			line := fmt.Sprintf("%s/%s.yaml: warning: is a named pipe, skipped; name it with -f to read it "+
				"(skipped-file)\n",
				folder, name)
			if !strings.Contains(said, line) {
				t.Errorf("%s: %q is missing in %s", command, line, said)
			}
		}
		if !strings.HasSuffix(said, want) {
			t.Errorf("%s: %s", command, said)
		}
	}
	go func() {
		w, err := os.OpenFile(pipe, os.O_WRONLY, 0)
		if err == nil {
			_, _ = io.WriteString(w, claim)
			_ = w.Close()
		}
	}()
	said := runProgram(t, "convert", "--to", "v1alpha3", "-f", pipe)
	if said != "1 converted to v1alpha3, 0 unchanged, 0 of other kinds, 0 failed, 0 warnings\n" {
		t.Errorf("named: %s", said)
	}
}

// runProgram gives what the program says on standard error. It must end well, and soon.
func runProgram(t *testing.T, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := program(ctx, t, args...)
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %v: %s", args, err, said.String())
	}
	return said.String()
}

// program is the test binary as the program under test; see TestMain.
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
