//go:build e2e

package test

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestUnusedMethodsAreLeftOut asks the linker, which leaves out methods without callers unless some function that can
// be reached looks methods up by a name that is only known while it runs, as text/template does. Then it keeps every
// exported method of every type, a quarter of the program, and says so in its graph of what needs what.
func TestUnusedMethodsAreLeftOut(t *testing.T) {
	link := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-dumpdep", "-o",
		filepath.Join(t.TempDir(), "claimbridge"), "./cmd/claimbridge")
	link.Dir = ".."
	graph := must.Get(link.StderrPipe())(t)
	must.Do(t, link.Start())
	var used int
	var lookups []string
	lines := bufio.NewScanner(graph)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		switch line := lines.Text(); {
		case strings.HasSuffix(line, " <ReflectMethod>"):
			lookups = append(lookups, line)
		case strings.Contains(line, " <UsedInIface>"):
			used++
		}
	}
	must.Do(t, lines.Err())
	must.Do(t, link.Wait())
	if used == 0 {
		t.Fatal("the linker marks nothing as it did: look at how its graph is written now")
	}
	for _, lookup := range lookups[:min(len(lookups), 10)] {
		t.Errorf("looks methods up by name: %s", lookup)
	}
}
