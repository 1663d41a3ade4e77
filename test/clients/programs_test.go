package clients

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/claimbridge/claimbridge/test/programs"
)

// TestClientsBuild builds what is not in the cache yet; make runs it first, as that takes minutes.
func TestClientsBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: the clients compile four releases of client-go, which takes minutes the first time")
	}
	set, err := Set(".")
	if err != nil {
		t.Fatal(err)
	}
	folder, err := set.Folder(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range set.Programs {
		out, err := exec.CommandContext(t.Context(), filepath.Join(folder, programs.File(p.Name))).CombinedOutput()
		if err == nil || string(out) != "usage: PROGRAM KUBECONFIG\n" {
			t.Errorf("the client of %s: %v: %s", p.Name, err, out)
		}
	}
}
