//go:build e2e

package aggregated

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Programs of the official Python client work beside ours as they do on the key. Where there is no such client nothing is tried; Debian has one in its
// package python3-kubernetes.
func TestPythonClient(t *testing.T) {
	python := pythonWithClient(t)
	for _, c := range []*cluster{key, ours} {
		for _, version := range inTree {
			t.Run(c.name+"/"+version, func(t *testing.T) {
				t.Parallel()
				namespace, _ := c.space(t)
				data, err := c.Kubeconfig("writer", namespace)
				if err != nil {
					t.Fatal(err)
				}
				folder := t.TempDir() // also for what the client keeps of discovery, by the address of the cluster
				kubeconfig := filepath.Join(folder, "kubeconfig")
				if err := os.WriteFile(kubeconfig, data, 0o600); err != nil {
					t.Fatal(err)
				}
				program := exec.CommandContext(t.Context(), python, filepath.Join("testdata", "python", "claims.py"), version, namespace)
				program.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "TMPDIR="+folder, "PYTHONDONTWRITEBYTECODE=1")
				if output, err := program.CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, output)
				}
			})
		}
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
