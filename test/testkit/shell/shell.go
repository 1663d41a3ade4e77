// Package shell runs shell commands in tests as a user of a cluster does.
package shell

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Shell is the shell of a user. It has a home directory, a kubeconfig, and kubectl and other programs in its PATH.
type Shell struct {
	Home, Kubeconfig, Path string
}

// New returns a shell with a kubeconfig, and with additional folders in its PATH.
func New(t testing.TB, kubeconfig []byte, folders ...string) *Shell {
	t.Helper()
	s := &Shell{Home: t.TempDir(), Path: Path(folders...)}
	s.Kubeconfig = filepath.Join(s.Home, "config")
	must.Do(t, os.WriteFile(s.Kubeconfig, kubeconfig, 0o600))
	return s
}

// Path returns a PATH: folders, then the folder of kubectl, then the PATH of this process.
func Path(folders ...string) string {
	return strings.Join(append(folders, os.Getenv(controlplane.EnvAssets), os.Getenv("PATH")),
		string(os.PathListSeparator))
}

// Environ returns the environment of commands.
func (s *Shell) Environ() []string {
	return append(os.Environ(), "PATH="+s.Path, "KUBECONFIG="+s.Kubeconfig, "HOME="+s.Home)
}

// Run runs a command line, fails the test if it fails, and returns stdout and stderr.
func (s *Shell) Run(t testing.TB, line string) string {
	t.Helper()
	return must.Get(s.Try(t.Context(), line))(t)
}

// Try runs a command line, and returns stdout and stderr.
func (s *Shell) Try(ctx context.Context, line string) (output string, err error) {
	return s.run(exec.CommandContext(ctx, "sh", "-c", line), line)
}

// Kubectl runs kubectl, fails the test if it fails, and returns stdout and stderr.
func (s *Shell) Kubectl(t testing.TB, stdin []byte, args ...string) string {
	t.Helper()
	return must.Get(s.TryKubectl(t.Context(), stdin, args...))(t)
}

// TryKubectl runs kubectl with an input, and returns stdout and stderr.
func (s *Shell) TryKubectl(ctx context.Context, stdin []byte, args ...string) (output string, err error) {
	command := exec.CommandContext(ctx, filepath.Join(os.Getenv(controlplane.EnvAssets), "kubectl"), args...)
	command.Stdin = bytes.NewReader(stdin)
	return s.run(command, "kubectl "+strings.Join(args, " "))
}

func (s *Shell) run(command *exec.Cmd, line string) (string, error) {
	command.Dir, command.Env = s.Home, s.Environ()
	output, err := command.CombinedOutput()
	if err != nil {
		return string(output), fmt.Errorf("%s: %w\n%s", line, err, output)
	}
	return string(output), nil
}
