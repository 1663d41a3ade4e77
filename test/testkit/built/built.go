// Package built gives tests the program of this checkout.
package built

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Claimbridge is the file of the program, with the state of the checkout, in a folder of its own as it would be in a PATH. It is built when it is
// not there as it should be, once in a process and by one process at a time: where nothing has changed Go leaves the file as it is.
func Claimbridge(t testing.TB) string {
	t.Helper()
	return must.Get(claimbridge())(t)
}

var claimbridge = sync.OnceValues(func() (string, error) {
	folder, err := place(programs.Root())
	if err != nil {
		return "", err
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(folder, "lock")).Lock()
	if err != nil {
		return "", err
	}
	defer unlock()
	file := filepath.Join(folder, programs.File("claimbridge"))
	command := exec.Command("go", "build", "-o", file, "./cmd/claimbridge")
	command.Dir = programs.Root()
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", command, err, output)
	}
	return file, nil
})

// place in the user's cache for the program of one checkout: another's are others.
func place(root string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder to build in: set HOME or XDG_CACHE_HOME: %w", err)
	}
	sum := sha256.Sum256([]byte(root))
	folder := filepath.Join(cache, "claimbridge", "checkouts", hex.EncodeToString(sum[:8]))
	return folder, os.MkdirAll(folder, 0o755)
}
