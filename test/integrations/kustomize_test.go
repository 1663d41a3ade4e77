//go:build e2e

package integrations

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// workloads that have no list, and some.
//
//go:embed testdata/workloads.yaml
var workloads string

// The component of kustomize makes the same of workloads as the command.
func TestTheComponentInjectsWhatTheCommandDoes(t *testing.T) {
	kustomize, root := other(t, programs.Kustomize), t.TempDir()
	for _, file := range []string{"kustomization.yaml", "sidecar.yaml", "container.yaml", "containers.yaml"} {
		must.Do(t, os.MkdirAll(filepath.Join(root, "bridge"), 0o700))
		copied(t, filepath.Join("../../config/components/bridge", file), filepath.Join(root, "bridge", file))
	}
	for file, text := range map[string]string{"workloads.yaml": workloads, "kustomization.yaml": "resources: [workloads.yaml]\ncomponents: [bridge]\n"} {
		must.Do(t, os.WriteFile(filepath.Join(root, file), []byte(text), 0o600))
	}
	rendered, err := exec.CommandContext(t.Context(), kustomize, "build", root).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, rendered)
	}
	inject := exec.CommandContext(t.Context(), claimbridge(t), "proxy", "inject", "--image=ghcr.io/claimbridge/claimbridge:v0.2.0")
	inject.Stdin = strings.NewReader(workloads)
	injected, err := inject.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, injected)
	}
	if diff := cmp.Diff(sorted(t, string(injected)), sorted(t, string(rendered))); diff != "" {
		t.Errorf("(-inject +kustomize)\n%s", diff)
	}
}

// sorted documents in one style.
func sorted(t *testing.T, stream string) (all []string) {
	t.Helper()
	for document := range strings.SplitSeq(stream, "\n---\n") {
		var object map[string]any
		must.Do(t, yaml.Unmarshal([]byte(document), &object))
		text := must.Get(yaml.Marshal(object))(t)
		all = append(all, string(text))
	}
	slices.Sort(all)
	return all
}

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
