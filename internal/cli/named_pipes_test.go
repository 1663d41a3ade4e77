//go:build unix

package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestNamedPipes checks that a named pipe in a directory is skipped, and that one on the command line is read.
func TestNamedPipes(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe.yaml")
	must.Do(t, syscall.Mkfifo(pipe, 0o600))
	must.Do(t, os.Symlink(pipe, filepath.Join(dir, "symlink.yaml")))
	const claim = "apiVersion: resource.k8s.io/v1alpha2\nkind: ResourceClaim\nmetadata: {name: a}\nspec: " +
		"{resourceClassName: c}\n"
	must.Do(t, os.WriteFile(filepath.Join(dir, "z.yaml"), []byte(claim), 0o600))
	for command, want := range map[string]string{
		"convert --to v1alpha3": "1 converted to v1alpha3, 0 unchanged, 0 of other kinds, 0 failed, 2 warnings\n",
		"validate":              "",
		"validate --operation update --old " + dir: "",
	} {
		stderr := runProgram(t, append(strings.Fields(command), dir)...)
		for _, name := range []string{"pipe", "symlink"} {
			line := fmt.Sprintf("%s/%s.yaml: warning: is a named pipe, skipped; name it with -f to read it "+
				"(skipped-file)\n",
				dir, name)
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
