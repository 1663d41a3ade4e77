// Package shell runs in tests what people type who use a cluster.
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

// Shell of a user: with a home, a kubeconfig, and kubectl and other programs in its PATH.
type Shell struct {
	Home, Kubeconfig, Path string
}

// New shell with a kubeconfig, and programs of some folders.
func New(t testing.TB, kubeconfig []byte, folders ...string) *Shell {
	t.Helper()
	s := &Shell{Home: t.TempDir(), Path: Path(folders...)}
	s.Kubeconfig = filepath.Join(s.Home, "config")
	must.Do(t, os.WriteFile(s.Kubeconfig, kubeconfig, 0o600))
	return s
}

// Path with programs of some folders, then kubectl, then what this process has.
func Path(folders ...string) string {
	return strings.Join(append(folders, os.Getenv(controlplane.EnvAssets), os.Getenv("PATH")),
		string(os.PathListSeparator))
}

// Environ of the user.
func (s *Shell) Environ() []string {
	return append(os.Environ(), "PATH="+s.Path, "KUBECONFIG="+s.Kubeconfig, "HOME="+s.Home)
}

// Run a line that must succeed, and give what it printed on both outputs.
func (s *Shell) Run(t testing.TB, line string) string {
	t.Helper()
	return must.Get(s.Try(t.Context(), line))(t)
}

// Try a line.
func (s *Shell) Try(ctx context.Context, line string) (output string, err error) {
	return s.run(exec.CommandContext(ctx, "sh", "-c", line), line)
}

// Kubectl that must succeed.
func (s *Shell) Kubectl(t testing.TB, stdin []byte, args ...string) string {
	t.Helper()
	return must.Get(s.TryKubectl(t.Context(), stdin, args...))(t)
}

// TryKubectl with an input.
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
