//go:build e2e

package bridge

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

// Programs of the official Python client work through claimbridge proxy as they do on the key. Where there is no such client nothing is tried;
// Debian has one in its package python3-kubernetes.
func TestPythonClient(t *testing.T) {
	python := pythonWithClient(t)
	for _, version := range []string{"v1beta1", "v1beta2"} {
		t.Run("the key/"+version, func(t *testing.T) { key.python(t, python, version, key.Config.Host) })
	}
	ways(func(served, asked string) {
		t.Run(asked+" over "+served, func(t *testing.T) {
			c := alone[served]
			c.python(t, python, asked, c.proxy(t, "writer", plane.Port(t)).url())
		})
	})
}

func (c *cluster) python(t *testing.T, python, version, server string) {
	namespace, _ := c.space(t)
	kubeconfig := c.kubeconfig(t, "writer", namespace, server)
	program := exec.CommandContext(t.Context(), python, filepath.Join("testdata", "python", "claims.py"), version, namespace)
	// Its folder is also for what the client keeps of discovery, by the address of the cluster.
	program.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "TMPDIR="+filepath.Dir(kubeconfig), "PYTHONDONTWRITEBYTECODE=1")
	if output, err := program.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

// pythonWithClient is the first Python that has the client: that of the user's path, or Debian's.
func pythonWithClient(t *testing.T) string {
	t.Helper()
	var problems error
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		version, err := exec.CommandContext(t.Context(), python, "-c", "import kubernetes; print(kubernetes.__version__)").CombinedOutput()
		if err == nil {
			t.Logf("the client is %s", version)
			return python
		}
		problems = errors.Join(problems, fmt.Errorf("%s: %w\n%s", python, err, version))
	}
	t.Skipf("no Python has the module kubernetes: %v", problems)
	return ""
}
