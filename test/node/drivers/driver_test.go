//go:build node && aggregated

package drivers

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDriversBuild builds what is not in the cache yet, and looks at which release of Kubernetes each is of.
func TestDriversBuild(t *testing.T) {
	for version, client := range map[string]string{Old: "v0.32.0", New: "v0.34.0"} {
		set, err := driver(version)
		if err != nil {
			t.Fatal(err)
		}
		folder, err := set.Folder(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		modules, err := exec.CommandContext(t.Context(), "go", "version", "-m", filepath.Join(folder, "driver")).CombinedOutput()
		if err != nil || !strings.Contains(string(modules), "\tdep\tk8s.io/client-go\t"+client) {
			t.Errorf("the driver %s: %v\n%s", version, err, modules)
		}
	}
}
