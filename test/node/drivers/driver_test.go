//go:build node

package drivers

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheDriverBuilds builds it if it is not in the cache yet, and looks at which release of Kubernetes it is of.
func TestTheDriverBuilds(t *testing.T) {
	set, err := driver()
	if err != nil {
		t.Fatal(err)
	}
	folder, err := set.Folder(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	modules, err := exec.CommandContext(t.Context(), "go", "version", "-m", filepath.Join(folder, "driver")).CombinedOutput()
	if err != nil || !strings.Contains(string(modules), "\tdep\tk8s.io/client-go\tv0.32.0") {
		t.Errorf("%v\n%s", err, modules)
	}
}
