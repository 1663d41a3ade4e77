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
	t.Logf("%d modules, %d of them of envtest", len(all), len(existing))
	if !slices.Contains(added, "github.com/google/cel-go") {
		t.Errorf("the added modules do not include CEL, so this test reads the wrong packages: %v", added)
	}
	if len(added) > limit {
		t.Errorf("webhooktest adds %d modules, more than %d: %s", len(added), limit, strings.Join(added, ", "))
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
