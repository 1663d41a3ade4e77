// Package built builds the program of this checkout for tests.
package built

import (
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

// Claimbridge returns the path of the program, which is alone in its folder, so that the folder can be in a PATH:
// bin/test, which make clean deletes. It is built once in a process, and by one process at a time. Go does not change a
// file that is up to date.
func Claimbridge(t testing.TB) string {
	t.Helper()
	return must.Get(claimbridge())(t)
}

var claimbridge = sync.OnceValues(func() (string, error) {
	file := filepath.Join(programs.Root(), "bin", "test", "claimbridge")
	command := exec.Command("go", "build", "-o", file, "./cmd/claimbridge")
	command.Dir = programs.Root()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	unlock, err := lockedfile.MutexAt(file + ".lock").Lock()
	if err != nil {
		return "", err
	}
	defer unlock()
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", command, err, output)
	}
	return file, nil
})
