//go:build node

package drivers

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/node"
	"github.com/claimbridge/claimbridge/test/node/image"
)

// patience with what a busy machine does in seconds. Whoever waits says for what, and a test that waits for ever says nothing.
const patience = 3 * time.Minute

// cluster of one node with the images of these tests, and the programs that a user has.
type cluster struct {
	*node.Cluster
	environ []string
}

// start a cluster of Kubernetes 1.36 with default flags.
func start(t *testing.T) *cluster {
	t.Helper()
	c := node.New(t, node.Options{})
	for _, image := range []func(ctx context.Context, folder string) (archive, name string, err error){Driver, Devices, image.Claimbridge} {
		archive, _, err := image(t.Context(), t.TempDir())
		if err == nil {
			err = c.Load(t.Context(), archive)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	home := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(home, "claimbridge"), "../../../cmd/claimbridge")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", build, err, output)
	}
	assets, err := controlplane.Assets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	path := strings.Join([]string{home, assets, os.Getenv("PATH")}, string(os.PathListSeparator))
	return &cluster{Cluster: c, environ: append(os.Environ(), "KUBECONFIG="+c.Kubeconfig(), "HOME="+home, "PATH="+path)}
}

// shell runs a line as a user would in the root of the repository, and gives what it printed on both outputs.
func (c *cluster) shell(t *testing.T, line string) (output string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	command := exec.CommandContext(ctx, "bash", "-o", "pipefail", "-c", line)
	var printed bytes.Buffer
	command.Dir, command.Env, command.Stdout, command.Stderr = "../../..", c.environ, &printed, &printed
	if err := command.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) || ctx.Err() != nil {
		t.Fatalf("%s: %v\n%s", line, errors.Join(err, ctx.Err()), printed.String())
	}
	return printed.String(), command.ProcessState.ExitCode()
}

// run a line that must succeed.
func (c *cluster) run(t *testing.T, line string) string {
	t.Helper()
	output, code := c.shell(t, line)
	if code != 0 {
		t.Fatalf("%s: exit code %d\n%s", line, code, output)
	}
	return output
}

// eventually nothing is wrong any more.
func (c *cluster) eventually(t *testing.T, what string, wrong func() string) time.Duration {
	t.Helper()
	started, last := time.Now(), ""
	err := wait.PollUntilContextTimeout(t.Context(), 250*time.Millisecond, patience, true, func(context.Context) (bool, error) {
		last = wrong()
		return last == "", nil
	})
	if err != nil {
		t.Fatalf("%s: %v\n%s", what, err, last)
	}
	return time.Since(started).Round(100 * time.Millisecond)
}

// in order, each on what the last one has left: what follows a failure would only fail for that.
func inOrder(t *testing.T, parts ...part) {
	for _, p := range parts {
		if started := time.Now(); !t.Run(p.name, p.test) {
			t.FailNow()
		} else {
			t.Logf("%s: %s", p.name, time.Since(started).Round(100*time.Millisecond))
		}
	}
}

type part struct {
	name string
	test func(*testing.T)
}
