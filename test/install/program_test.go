//go:build e2e

package install

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// program runs claimbridge with the kubeconfig of an administrator.
func (c *cluster) program(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	command := exec.CommandContext(t.Context(), built.Claimbridge(t), args...)
	var out, problems bytes.Buffer
	command.Stdout, command.Stderr, command.Env = &out, &problems, c.Environ()
	if err := command.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return out.String(), problems.String(), command.ProcessState.ExitCode()
}

// make a target of the Makefile, for the cluster.
func (c *cluster) make(t *testing.T, args ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "make", append([]string{"-C", "../..", "KUBECTL=kubectl"}, args...)...)
	command.Env = slices.Concat(c.Environ(), goEnvironment(t))
	output, err := command.CombinedOutput()
	return string(output), err
}

// goEnvironment keeps the caches of Go where they are, whatever HOME is.
func goEnvironment(t *testing.T) (variables []string) {
	t.Helper()
	names := []string{"GOENV", "GOPATH", "GOCACHE", "GOMODCACHE"}
	output := must.Get(exec.CommandContext(t.Context(), "go", append([]string{"env"}, names...)...).Output())(t)
	for i, value := range strings.Split(strings.TrimSpace(string(output)), "\n") {
		variables = append(variables, names[i]+"="+value)
	}
	return variables
}

// chapter of a page: its blocks of commands, which are set in by four blanks.
func chapter(t *testing.T, page, title string) (blocks []string) {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join("..", "..", "docs", page)))(t)
	_, found, ok := strings.Cut(string(text), "\n## "+title+"\n")
	if !ok {
		t.Fatalf("%s has no chapter %q", page, title)
	}
	found, _, _ = strings.Cut(found, "\n## ")
	for part := range strings.SplitSeq("\n"+found, "\n\n") {
		if strings.HasPrefix(part, "    ") {
			blocks = append(blocks, part)
		}
	}
	return blocks
}
