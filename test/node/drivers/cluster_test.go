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

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/node"
	"github.com/claimbridge/claimbridge/test/node/image"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// patience with what a busy machine does in seconds. Anyone who waits says for what, and a test that
// waits indefinitely says nothing.
const patience = 3 * time.Minute

// cluster of one node with the images of these tests, and the programs that a user has.
type cluster struct {
	*node.Cluster
	environ []string
	// version of resource.k8s.io that it serves.
	version string
}

// start a cluster of Kubernetes 1.36, which serves v1 by default, or v1beta1 alone: then the
// programs of Kubernetes, which know v1, have the bridge.
func start(t *testing.T, version, driver string) *cluster {
	t.Helper()
	home := t.TempDir()
	claimbridge := filepath.Join(home, "claimbridge")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", claimbridge, "../../../cmd/claimbridge")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", build, err, output)
	}
	o := node.Options{}
	if version == "v1beta1" {
		o.Bridge = claimbridge
		o.APIServerFlags = []string{
			"--runtime-config=resource.k8s.io/v1=false,resource.k8s.io/v1beta2=false,resource.k8s.io/v1beta1=true",
		}
	}
	c := node.New(t, o)
	for _, image := range []func(ctx context.Context, folder string) (archive, name string, err error){
		Driver(driver), Devices, image.Claimbridge,
	} {
		archive, _, err := image(t.Context(), t.TempDir())
		if err == nil {
			err = c.Load(t.Context(), archive)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	assets := must.Get(controlplane.Assets(t.Context()))(t)
	path := strings.Join([]string{home, assets, os.Getenv("PATH")}, string(os.PathListSeparator))
	return &cluster{c, append(os.Environ(), "KUBECONFIG="+c.Kubeconfig(), "HOME="+home, "PATH="+path), version}
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
	started := time.Now()
	await.NoError(t, what, func() error {
		if last := wrong(); last != "" {
			return errors.New(last)
		}
		return nil
	})
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
