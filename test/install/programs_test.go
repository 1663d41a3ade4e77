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

// imageTag is the tag of the image. Only the charts of releases have a default for it.
var imageTag = config.DefaultImage[strings.LastIndex(config.DefaultImage, ":")+1:]

// helmVersions are the versions of Helm that the chart supports.
var helmVersions = []string{programs.Helm3, programs.Helm4}

// helm runs a version of Helm, without a cluster if there is no kubeconfig.
type helm struct{ program, home, kubeconfig string }

func newHelm(t *testing.T, version string) helm {
	t.Helper()
	return helm{program: programs.Tool(t, version), home: t.TempDir()}
}

// try runs helm, and returns its output and error.
func (h helm) try(ctx context.Context, args ...string) (stdout, stderr string, err error) {
	if args[0] == "template" || args[0] == "lint" {
		// The default of --kube-version depends on how Helm was built. A later --kube-version in args overrides this one.
		args = slices.Insert(slices.Clone(args), 1, "--kube-version=1.36.0")
	}
	command := exec.CommandContext(ctx, h.program, args...)
	var stdoutBuffer, stderrBuffer bytes.Buffer
	command.Stdout, command.Stderr = &stdoutBuffer, &stderrBuffer
	command.Env = append(os.Environ(), "HOME="+h.home, "XDG_CACHE_HOME="+h.home, "XDG_CONFIG_HOME="+h.home,
		"XDG_DATA_HOME="+h.home, "KUBECONFIG="+h.kubeconfig)
	err = command.Run()
	return stdoutBuffer.String(), stderrBuffer.String(), err
}

// run runs helm, and fails the test if it fails. It returns the standard output.
func (h helm) run(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, err := h.try(t.Context(), args...)
	if err != nil {
		t.Fatalf("helm %s: %v\n%s%s", strings.Join(args, " "), err, stdout, stderr)
	}
	return stdout
}

// shellFunction returns a definition of the shell function helm, which runs this version.
func (h helm) shellFunction() string {
	return fmt.Sprintf("helm() { HOME=%[1]s XDG_CACHE_HOME=%[1]s XDG_CONFIG_HOME=%[1]s XDG_DATA_HOME=%[1]s %[2]s "+
		"\"$@\"; }\n",
		h.home, h.program)
}

// setFlags returns the flags of helm that set values. A value @FILE stands for the content of a file.
func setFlags(values map[string]string) (args []string) {
	for name, value := range values {
		file, isFile := strings.CutPrefix(value, "@")
		isList := strings.HasPrefix(value, "{")
		isBool := value == "true" || value == "false"
		switch {
		case isFile:
			args = append(args, "--set-file="+name+"="+file)
		case isList || isBool:
			args = append(args, "--set="+name+"="+value)
		default:
			args = append(args, "--set-string="+name+"="+value)
		}
	}
	slices.Sort(args)
	return args
}

// runClaimbridge runs claimbridge with the kubeconfig of an administrator.
func (c *cluster) runClaimbridge(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	command := exec.CommandContext(t.Context(), built.Claimbridge(t), args...)
	var stdoutBuffer, stderrBuffer bytes.Buffer
	command.Stdout, command.Stderr = &stdoutBuffer, &stderrBuffer
	command.Env = c.Environ()
	if err := command.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return stdoutBuffer.String(), stderrBuffer.String(), command.ProcessState.ExitCode()
}

// runMake runs a target of the Makefile for the cluster, and returns its output.
func (c *cluster) runMake(t *testing.T, args ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "make", append([]string{"-C", "../..", "KUBECTL=kubectl"}, args...)...)
	command.Env = slices.Concat(c.Environ(), goEnvironment(t))
	output, err := command.CombinedOutput()
	return string(output), err
}

// goEnvironment returns the variables for Go's caches, so that a command with another HOME uses the same caches.
func goEnvironment(t *testing.T) (variables []string) {
	t.Helper()
	names := []string{"GOENV", "GOPATH", "GOCACHE", "GOMODCACHE"}
	output := must.Get(exec.CommandContext(t.Context(), "go", append([]string{"env"}, names...)...).Output())(t)
	for i, value := range strings.Split(strings.TrimSpace(string(output)), "\n") {
		variables = append(variables, names[i]+"="+value)
	}
	return variables
}

// commandBlock matches consecutive lines that are indented by four spaces.
var commandBlock = regexp.MustCompile(`(?m)(?:^    .*\n?)+`)

// commandBlocks returns the blocks of commands in a section of a documentation page.
func commandBlocks(t *testing.T, page, heading string) []string {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join("..", "..", "docs", page)))(t)
	_, section, ok := strings.Cut(string(text), "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("docs/%s has no section %q", page, heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	return commandBlock.FindAllString(section, -1)
}
