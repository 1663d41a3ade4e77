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

// TestLinkerRemovesUnusedMethods reads the linker's dependency graph (-dumpdep). If reachable code looks up methods by
// a dynamic name, as text/template does, the linker keeps all exported methods, which are a quarter of the program.
func TestLinkerRemovesUnusedMethods(t *testing.T) {
	link := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-dumpdep", "-o",
		filepath.Join(t.TempDir(), "claimbridge"), "./cmd/claimbridge")
	link.Dir = ".."
	graph := must.Get(link.StderrPipe())(t)
	must.Do(t, link.Start())
	usedTypes := 0
	var lookups []string
	lines := bufio.NewScanner(graph)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		switch line := lines.Text(); {
		case strings.HasSuffix(line, " <ReflectMethod>"):
			lookups = append(lookups, line)
		case strings.Contains(line, " <UsedInIface>"):
			usedTypes++
		}
	}
	must.Do(t, lines.Err())
	must.Do(t, link.Wait())
	if usedTypes == 0 {
		t.Fatal("the output of -dumpdep has no <UsedInIface>: its format changed, update this test")
	}
	for _, lookup := range lookups[:min(len(lookups), 10)] {
		t.Errorf("code that looks up methods by name: %s", lookup)
	}
}
