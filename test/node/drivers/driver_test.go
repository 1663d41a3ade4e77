//go:build node

package drivers

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestDriversBuild builds them if they are not in the cache yet, and looks at which release of Kubernetes they are of.
func TestDriversBuild(t *testing.T) {
	for version, client := range map[string]string{Older: "v0.32.0", newer: "v0.36.2"} {
		folder := must.Get(driver(version).Folder(t.Context()))(t)
		modules, err := exec.CommandContext(t.Context(), "go", "version", "-m", filepath.Join(folder, "driver")).CombinedOutput()
		if err != nil || !strings.Contains(string(modules), "\tdep\tk8s.io/client-go\t"+client) {
			t.Errorf("%s: %v\n%s", version, err, modules)
		}
	}
}
