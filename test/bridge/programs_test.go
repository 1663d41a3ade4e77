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

// onEveryCluster runs a test on the reference and through a proxy for each pair of versions. If it fails on the
// reference, the bridge is not the cause.
func onEveryCluster(t *testing.T, user string, do func(t *testing.T, c *cluster, version, server string)) {
	for _, version := range testedVersions {
		t.Run("reference/"+version, func(t *testing.T) { do(t, reference, version, reference.Config.Host) })
	}
	forEachPair(func(served, requested string) {
		t.Run(requested+" over "+served, func(t *testing.T) {
			c := singleVersionClusters[served]
			do(t, c, requested, c.startProxy(t, user, plane.Port(t)).url())
		})
	})
}

// TestConformance runs the check of a resource in the conformance tests of Kubernetes.
func TestConformance(t *testing.T) {
	program := programs.Tool(t, programs.Conformance)
	onEveryCluster(t, "conformance", func(t *testing.T, c *cluster, version, server string) {
		t.Parallel()
		args := []string{c.kubeconfig(t, "conformance", "default", server)}
		for _, resource := range plurals {
			args = append(args, version+"/"+resource)
		}
		output, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
		if want := fmt.Sprintf("%d/%[1]d specs", len(plurals)); err != nil || !strings.Contains(string(output), want) {
			t.Errorf("%v, or it did not run %s:\n%s", err, want, output)
		}
	})
}

// TestKubectl runs the scripts of testdata/kubectl, each in a separate namespace.
func TestKubectl(t *testing.T) {
	onEveryCluster(t, "writer", func(t *testing.T, c *cluster, version, server string) {
		cache := t.TempDir()
		testscript.Run(t, testscript.Params{
			Dir:                 filepath.Join("testdata", "kubectl"),
			RequireExplicitExec: true,
			RequireUniqueNames:  true,
			Setup: func(env *testscript.Env) error {
				namespace, _ := c.newNamespace(env.T().(testing.TB)) // testscript has the test that runs the script
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

// TestPythonClient runs a program with the official Python client. It is skipped without the client, which Debian has
// in its package python3-kubernetes.
func TestPythonClient(t *testing.T) {
	python := pythonWithClient(t)
	onEveryCluster(t, "writer", func(t *testing.T, c *cluster, version, server string) {
		namespace, _ := c.newNamespace(t)
		kubeconfig := c.kubeconfig(t, "writer", namespace, server)
		program := exec.CommandContext(t.Context(), python, filepath.Join("testdata", "python", "claims.py"), version,
			namespace)
		// The client stores discovery in TMPDIR by the address of the cluster.
		program.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "TMPDIR="+filepath.Dir(kubeconfig),
			"PYTHONDONTWRITEBYTECODE=1")
		if output, err := program.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
	})
}

// pythonWithClient returns the first Python that has the client: that of the user's path, or Debian's.
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
