//go:build e2e

package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

const chartFolder = "../../config/charts/claimbridge"

// imageTag is the tag of the image, which a chart that is not of a release does not have.
var imageTag = config.DefaultImage[strings.LastIndex(config.DefaultImage, ":")+1:]

// releases of Helm that people have.
var releases = []string{programs.Helm3, programs.Helm4}

// helm is one of them, for a cluster or none.
type helm struct{ program, home, kubeconfig string }

func newHelm(t *testing.T, release string) helm {
	t.Helper()
	program := programs.Tool(t, release)
	return helm{program: program, home: t.TempDir()}
}

func (h helm) try(ctx context.Context, args ...string) (stdout, stderr string, err error) {
	if args[0] == "template" || args[0] == "lint" { // the release that Helm names by itself depends on how it was built
		// another one in args comes later, and counts
		args = slices.Insert(slices.Clone(args), 1, "--kube-version=1.36.0")
	}
	command := exec.CommandContext(ctx, h.program, args...)
	var out, problems bytes.Buffer
	command.Stdout, command.Stderr = &out, &problems
	command.Env = append(os.Environ(), "HOME="+h.home, "XDG_CACHE_HOME="+h.home, "XDG_CONFIG_HOME="+h.home,
		"XDG_DATA_HOME="+h.home, "KUBECONFIG="+h.kubeconfig)
	err = command.Run()
	return out.String(), problems.String(), err
}

// run helm, which must succeed.
func (h helm) run(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, err := h.try(t.Context(), args...)
	if err != nil {
		t.Fatalf("helm %s: %v\n%s%s", strings.Join(args, " "), err, stdout, stderr)
	}
	return stdout
}

// shell has this helm by its name.
func (h helm) shell() string {
	return fmt.Sprintf("helm() { HOME=%[1]s XDG_CACHE_HOME=%[1]s XDG_CONFIG_HOME=%[1]s XDG_DATA_HOME=%[1]s %[2]s "+
		"\"$@\"; }\n",
		h.home, h.program)
}

// set makes arguments of values.
func set(values map[string]string) (args []string) {
	for name, value := range values {
		if strings.HasPrefix(value, "{") || value == "true" || value == "false" {
			args = append(args, "--set="+name+"="+value)
			continue
		}
		args = append(args, "--set-string="+name+"="+value)
	}
	slices.Sort(args)
	return args
}

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

// commandBlock is lines that are set in by four blanks.
var commandBlock = regexp.MustCompile(`(?m)(?:^    .*\n?)+`)

// chapter of a page: its blocks of commands.
func chapter(t *testing.T, page, title string) []string {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join("..", "..", "docs", page)))(t)
	_, found, ok := strings.Cut(string(text), "\n## "+title+"\n")
	if !ok {
		t.Fatalf("%s has no chapter %q", page, title)
	}
	found, _, _ = strings.Cut(found, "\n## ")
	return commandBlock.FindAllString(found, -1)
}
