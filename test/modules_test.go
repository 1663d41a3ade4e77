package test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestWebhooktestAddsFewModules checks that webhooktest adds only CEL and a few others to the modules of envtest
// (decision 13).
func TestWebhooktestAddsFewModules(t *testing.T) {
	const limit = 20
	existing := modulesOf(t, "sigs.k8s.io/controller-runtime/pkg/envtest")
	all := modulesOf(t, module+"/webhook/webhooktest")
	added := slices.DeleteFunc(slices.Clone(all), func(m string) bool {
		return m == module || slices.Contains(existing, m)
	})
	t.Logf("%d modules, of which envtest has %d", len(all), len(existing))
	if !slices.Contains(added, "github.com/google/cel-go") {
		t.Errorf("added modules: got %v, want CEL among them; this test may read the wrong packages", added)
	}
	if len(added) > limit {
		t.Errorf("webhooktest adds %d modules, want at most %d: %s", len(added), limit, strings.Join(added, ", "))
	}
}

// modulesOf returns the modules that a package imports, directly or indirectly.
func modulesOf(t *testing.T, importPath string) []string {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}",
		importPath)
	list.Dir = ".."
	output, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	modules := strings.Fields(string(output))
	slices.Sort(modules)
	return slices.Compact(modules)
}
