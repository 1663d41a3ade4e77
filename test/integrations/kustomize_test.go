//go:build e2e

package integrations

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// workloads that have no list, and some.
//
//go:embed testdata/workloads.yaml
var workloads string

var anyOrder = cmpopts.SortSlices(func(a, b map[string]any) bool { return fmt.Sprint(a) < fmt.Sprint(b) })

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
	inject := exec.CommandContext(t.Context(), built.Claimbridge(t), "proxy", "inject", "--image=ghcr.io/claimbridge/claimbridge:v0.2.0")
	inject.Stdin = strings.NewReader(workloads)
	injected, err := inject.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, injected)
	}
	if diff := cmp.Diff(objects(t, string(injected)), objects(t, string(rendered)), anyOrder); diff != "" {
		t.Errorf("(-inject +kustomize)\n%s", diff)
	}
}
