//go:build e2e

package integrations

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// kustomize runs the function over what it renders, and stops with its results where that fails.
func TestKustomizeRunsTheFunction(t *testing.T) {
	kustomize, root := other(t, programs.Kustomize), t.TempDir()
	for _, file := range []string{"kustomization.yaml", "claims.yaml", "to-1.36.yaml"} {
		copied(t, filepath.Join("testdata", "kustomization", file), filepath.Join(root, file))
	}
	must.Do(t, os.Symlink(claimbridge(t), filepath.Join(root, "claimbridge-fn")))
	build := func() (string, error) {
		cmd := exec.CommandContext(t.Context(), kustomize, "build", "--enable-alpha-plugins", "--enable-exec", ".")
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	got, err := build()
	if err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	for _, want := range []string{"apiVersion: resource.k8s.io/v1\n", "- exactly:\n", "name: team-gpu\n", "kind: Pod\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "ClaimConversion") || strings.Contains(got, "results:") {
		t.Errorf("what is not of the resources is among them:\n%s", got)
	}

	claims := filepath.Join(root, "claims.yaml")
	data := must.Get(os.ReadFile(claims))(t)
	must.Do(t, os.WriteFile(claims, []byte(strings.Replace(string(data), "deviceClassName", "deviceClasName", 1)), 0o600))
	if got, err := build(); err == nil || !strings.Contains(got, "did you mean deviceClassName?") {
		t.Errorf("a field that there is not: %v\n%s", err, got)
	}
}
