// Package docs reads examples from the pages in docs/, so that tests run what the pages show.
package docs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/programs"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// YAML returns the first fenced YAML block of a page that contains a text. It fails the test if there is none.
func YAML(t testing.TB, page, contains string) string {
	t.Helper()
	content := must.Get(os.ReadFile(filepath.Join(programs.Root(), "docs", page)))(t)
	for _, block := range strings.Split(string(content), "```yaml\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		if strings.Contains(block, contains) {
			return block
		}
	}
	t.Fatalf("docs/%s has no YAML with %q", page, contains)
	return ""
}
