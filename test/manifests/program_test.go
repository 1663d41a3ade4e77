package manifests

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// build the program into a folder.
func build(t *testing.T, folder string) string {
	t.Helper()
	file := filepath.Join(folder, "claimbridge")
	command := exec.CommandContext(t.Context(), "go", "build", "-o", file, "../../cmd/claimbridge")
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", command, err, output)
	}
	return file
}

// program runs claimbridge with the kubeconfig of an administrator.
func (c *cluster) program(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	command := exec.CommandContext(t.Context(), c.claimbridge, args...)
	var out, problems bytes.Buffer
	command.Stdout, command.Stderr, command.Env = &out, &problems, c.environ
	if err := command.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return out.String(), problems.String(), command.ProcessState.ExitCode()
}

// make a target of the Makefile, for the cluster.
func (c *cluster) make(t *testing.T, args ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "make", append([]string{"-C", "../..", "KUBECTL=" + c.kubectl}, args...)...)
	command.Env = slices.Concat(c.environ, goEnvironment(t))
	output, err := command.CombinedOutput()
	return string(output), err
}

// goEnvironment keeps the caches of Go where they are, whatever HOME is.
func goEnvironment(t *testing.T) (variables []string) {
	t.Helper()
	names := []string{"GOENV", "GOPATH", "GOCACHE", "GOMODCACHE"}
	output, err := exec.CommandContext(t.Context(), "go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, value := range strings.Split(strings.TrimSpace(string(output)), "\n") {
		variables = append(variables, names[i]+"="+value)
	}
	return variables
}

// shell runs commands of a page as a reader would.
func (c *cluster) shell(t *testing.T, variables, commands string) string {
	t.Helper()
	shell := exec.CommandContext(t.Context(), "sh", "-eu", "-c", variables+"\n"+commands)
	shell.Dir, shell.Env = t.TempDir(), c.environ
	output, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%v\n%s", commands, err, output)
	}
	return string(output)
}

// chapter of a page: its blocks of commands, which are set in by four blanks.
func chapter(t *testing.T, page, title string) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
	if err != nil {
		t.Fatal(err)
	}
	_, found, ok := strings.Cut(string(text), "\n## "+title+"\n")
	if !ok {
		t.Fatalf("%s has no chapter %q", page, title)
	}
	found, _, _ = strings.Cut(found, "\n## ")
	for part := range strings.SplitSeq(found, "\n\n") {
		if strings.HasPrefix(part, "    ") {
			blocks = append(blocks, part)
		}
	}
	return blocks
}
