//go:build e2e

package repositories

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// module is the folder of a release of a module, as Go keeps it. It is downloaded when it is not there yet.
func module(t *testing.T, path, version, sum string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", path+"@"+version)
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod") // in no module, whose files would have a say
	out, err := cmd.Output()
	var downloaded struct{ Dir, Sum, Error string }
	if parsed := json.Unmarshal(out, &downloaded); parsed != nil || err != nil {
		t.Fatalf("%s: %v, %v: %s", cmd, err, parsed, downloaded.Error)
	}
	if downloaded.Sum != sum {
		t.Fatalf("%s@%s has the sum %s, want %s", path, version, downloaded.Sum, sum)
	}
	license, err := os.ReadFile(filepath.Join(downloaded.Dir, "LICENSE"))
	if err != nil || !strings.Contains(string(license), "Apache License") {
		t.Fatalf("%s@%s is not under the Apache License: %v", path, version, err)
	}
	return downloaded.Dir
}

// cloned puts the files of a module into a folder, but for its Go files: claims are in none of them.
func cloned(t *testing.T, from, to string) {
	t.Helper()
	must.Do(t, filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Ext(path) == ".go" {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(to, below)), 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, below), text, 0o644)
		}
		return err
	}))
}
