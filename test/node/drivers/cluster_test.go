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

// timeout limits the time of a command. A busy machine needs much longer than the usual seconds.
const timeout = 3 * time.Minute

// cluster is a cluster of one node with the images of these tests, and an environment with the programs of a user.
type cluster struct {
	*node.Cluster
	environ []string
	// version of resource.k8s.io that the cluster serves.
	version string
}

// startCluster starts a cluster of Kubernetes 1.36 that serves v1 or v1beta1 only. If it is v1beta1, the components of
// Kubernetes, which use v1, connect through claimbridge proxy.
func startCluster(t *testing.T, version, driver string) *cluster {
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
		DriverImage(driver), DevicesImage, image.Claimbridge,
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

// shell runs a command line in the root of the repository, and returns its combined output.
func (c *cluster) shell(t *testing.T, line string) (output string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	command := exec.CommandContext(ctx, "bash", "-o", "pipefail", "-c", line)
	var out bytes.Buffer
	command.Dir, command.Env, command.Stdout, command.Stderr = "../../..", c.environ, &out, &out
	if err := command.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) || ctx.Err() != nil {
		t.Fatalf("%s: %v\n%s", line, errors.Join(err, ctx.Err()), out.String())
	}
	return out.String(), command.ProcessState.ExitCode()
}

// run runs a command line that must succeed.
func (c *cluster) run(t *testing.T, line string) string {
	t.Helper()
	output, code := c.shell(t, line)
	if code != 0 {
		t.Fatalf("%s: exit code %d\n%s", line, code, output)
	}
	return output
}

// eventually waits until there is no problem any more, and returns how long that took.
func (c *cluster) eventually(t *testing.T, what string, problem func() string) time.Duration {
	t.Helper()
	started := time.Now()
	await.NoError(t, what, func() error {
		if last := problem(); last != "" {
			return errors.New(last)
		}
		return nil
	})
	return time.Since(started).Round(100 * time.Millisecond)
}

// runSteps runs steps as subtests. Each step depends on the state that the previous one leaves, so a failure ends the
// test.
func runSteps(t *testing.T, steps ...step) {
	for _, p := range steps {
		if started := time.Now(); !t.Run(p.name, p.test) {
			t.FailNow()
		} else {
			t.Logf("%s: %s", p.name, time.Since(started).Round(100*time.Millisecond))
		}
	}
}

type step struct {
	name string
	test func(*testing.T)
}
