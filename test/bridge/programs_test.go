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

// forEachServer runs a test on the reference in each version, and through a proxy for each pair of versions. If the
// test fails on the reference, the bridge is not the cause.
func forEachServer(t *testing.T, user string, test func(t *testing.T, c *cluster, version, server string)) {
	for _, version := range testedVersions {
		t.Run("reference/"+version, func(t *testing.T) { test(t, reference, version, reference.Config.Host) })
	}
	for _, pair := range versionPairs() {
		t.Run(pair.String(), func(t *testing.T) {
			c := singleVersionClusters[pair.served]
			test(t, c, pair.requested, c.startProxy(t, user, plane.Port(t)).url())
		})
	}
}

// TestConformance runs the conformance test of Kubernetes for each resource of the group.
func TestConformance(t *testing.T) {
	program := programs.Tool(t, programs.Conformance)
	forEachServer(t, "conformance", func(t *testing.T, c *cluster, version, server string) {
		t.Parallel()
		args := []string{c.kubeconfig(t, "conformance", "default", server)}
		for _, resource := range plurals {
			args = append(args, version+"/"+resource)
		}
		output, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
		if want := fmt.Sprintf("%d/%[1]d specs", len(plurals)); err != nil || !strings.Contains(string(output), want) {
			t.Errorf("got error %v, want %s in the output:\n%s", err, want, output)
		}
	})
}

// TestKubectl runs the scripts in testdata/kubectl, each in a separate namespace.
func TestKubectl(t *testing.T) {
	forEachServer(t, "writer", func(t *testing.T, c *cluster, version, server string) {
		cache := t.TempDir()
		testscript.Run(t, testscript.Params{
			Dir:                 filepath.Join("testdata", "kubectl"),
			RequireExplicitExec: true,
			RequireUniqueNames:  true,
			Setup: func(env *testscript.Env) error {
				namespace, _ := c.newNamespace(env.T().(testing.TB)) // testscript passes the subtest of the script
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

// TestPythonClient runs a program that uses the official Python client. It is skipped without the client, which is in
// Debian's package python3-kubernetes.
func TestPythonClient(t *testing.T) {
	python := pythonWithClient(t)
	forEachServer(t, "writer", func(t *testing.T, c *cluster, version, server string) {
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

// pythonWithClient returns a Python that has the client: the first one in PATH, or Debian's.
func pythonWithClient(t *testing.T) string {
	t.Helper()
	var problems error
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		output, err := exec.CommandContext(t.Context(), python, "-c",
			"import kubernetes; print(kubernetes.__version__)").CombinedOutput()
		if err == nil {
			t.Logf("version of the Python client: %s", output)
			return python
		}
		problems = errors.Join(problems, fmt.Errorf("%s: %w\n%s", python, err, output))
	}
	t.Skipf("no Python has the module kubernetes: %v", problems)
	return ""
}
