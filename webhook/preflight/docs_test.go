package preflight

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// heading of a page that a remedy names, as it stands in Go.
var heading = regexp.MustCompile(`docs/([a-z-]+\.md)(?:,| shows under) \\"([^"\\]+)\\"`)

// Remedies lead to headings that are there.
func TestRemediesNameHeadings(t *testing.T) {
	files := must.Get(filepath.Glob("*.go"))(t)
	named := 0
	for _, file := range files {
		code := must.Get(os.ReadFile(file))(t)
		for _, m := range heading.FindAllStringSubmatch(string(code), -1) {
			text, err := os.ReadFile("../../docs/" + m[1])
			if err != nil {
				t.Errorf("%s: %v", file, err)
			} else if !regexp.MustCompile(`(?m)^#+ ` + regexp.QuoteMeta(m[2]) + `$`).Match(text) {
				t.Errorf("%s: docs/%s has no heading %q", file, m[1], m[2])
			}
			named++
		}
	}
	if named < 3 {
		t.Errorf("%d headings are named, and there were more", named)
	}
}
