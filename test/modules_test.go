package test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestWebhooktestAddsFewModules to a suite that has envtest, as those have that it is for: what
// compiles selectors, and next to nothing else. Those of certificates alone are more (decision 13).
func TestWebhooktestAddsFewModules(t *testing.T) {
	const most = 20
	has := modulesOf(t, "sigs.k8s.io/controller-runtime/pkg/envtest")
	all := modulesOf(t, module+"/webhook/webhooktest")
	brings := slices.DeleteFunc(slices.Clone(all), func(m string) bool {
		return m == module || slices.Contains(has, m)
	})
	t.Logf("%d in all, %d of them by envtest", len(all), len(has))
	if !slices.Contains(brings, "github.com/google/cel-go") {
		t.Errorf("brings nothing that compiles selectors, so this test looks at the wrong packages: %v", brings)
	}
	if len(brings) > most {
		t.Errorf("brings %d modules, at most %d are wanted: %s", len(brings), most, strings.Join(brings, ", "))
	}
}

// modulesOf all that is linked with a package.
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
