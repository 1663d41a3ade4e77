//go:build e2e

package bridge

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/shell"
)

// alike do programs through claimbridge proxy and on the key, which shows that it is the bridge
// that is tried, and not they.
func alike(t *testing.T, user string, do func(t *testing.T, c *cluster, version, server string)) {
	for _, version := range whole {
		t.Run("the key/"+version, func(t *testing.T) { do(t, key, version, key.Config.Host) })
	}
	ways(func(served, asked string) {
		t.Run(asked+" over "+served, func(t *testing.T) {
			c := alone[served]
			do(t, c, asked, c.proxy(t, user, plane.Port(t)).url())
		})
	})
}

// Kubernetes' own conformance check of a resource passes.
func TestConformance(t *testing.T) {
	program := programs.Other(t, programs.Conformance)
	alike(t, "conformer", func(t *testing.T, c *cluster, version, server string) {
		t.Parallel()
		args := []string{c.kubeconfig(t, "conformer", "default", server)}
		for _, resource := range plurals {
			args = append(args, version+"/"+resource)
		}
		output, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
		if want := fmt.Sprintf("%d/%[1]d specs", len(plurals)); err != nil || !strings.Contains(string(output), want) {
			t.Errorf("%v, or it did not run %s:\n%s", err, want, output)
		}
	})
}

// What users type, and what they see: each script of testdata/kubectl is a session in a namespace of its own.
func TestKubectl(t *testing.T) {
	alike(t, "writer", func(t *testing.T, c *cluster, version, server string) {
		cache := t.TempDir()
		testscript.Run(t, testscript.Params{
			Dir:                 filepath.Join("testdata", "kubectl"),
			RequireExplicitExec: true,
			RequireUniqueNames:  true,
			Setup: func(env *testscript.Env) error {
				namespace, _ := c.space(env.T().(testing.TB)) // testscript hands out the test that it runs in
				env.Setenv("KUBECONFIG", c.kubeconfig(env.T().(testing.TB), "writer", namespace, server))
				env.Setenv("KUBECACHEDIR", cache)
				env.Setenv("NAMESPACE", namespace)
				env.Setenv("V", version)
				env.Setenv("CLAIMS", "resourceclaims."+version+".resource.k8s.io")
				env.Setenv("PATH", shell.Path())
				return nil
			},
		})
	})
}

// Programs of the official Python client work. Where there is no such client nothing is tried;
// Debian has one in its package python3-kubernetes.
func TestPythonClient(t *testing.T) {
	python := pythonWithClient(t)
	alike(t, "writer", func(t *testing.T, c *cluster, version, server string) {
		namespace, _ := c.space(t)
		kubeconfig := c.kubeconfig(t, "writer", namespace, server)
		program := exec.CommandContext(t.Context(), python, filepath.Join("testdata", "python", "claims.py"), version,
			namespace)
		// Its folder is also for what the client keeps of discovery, by the address of the cluster.
		program.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "TMPDIR="+filepath.Dir(kubeconfig),
			"PYTHONDONTWRITEBYTECODE=1")
		if output, err := program.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
	})
}

// pythonWithClient is the first Python that has the client: that of the user's path, or Debian's.
func pythonWithClient(t *testing.T) string {
	t.Helper()
	var problems error
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		version, err := exec.CommandContext(t.Context(), python, "-c",
			"import kubernetes; print(kubernetes.__version__)").CombinedOutput()
		if err == nil {
			t.Logf("the client is %s", version)
			return python
		}
		problems = errors.Join(problems, fmt.Errorf("%s: %w\n%s", python, err, version))
	}
	t.Skipf("no Python has the module kubernetes: %v", problems)
	return ""
}
