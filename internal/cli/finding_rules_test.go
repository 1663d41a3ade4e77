package cli

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestEveryRuleOfFindingsHasATest checks that a script tests each rule of findings in files, except for rules that need
// a test in Go.
func TestEveryRuleOfFindingsHasATest(t *testing.T) {
	elsewhere := map[string]string{
		"skipped-file":            "named_pipes_test.go",
		"cannot-be-converted":     "for errors without a specific rule",
		"refused-by-release":      "for rejections without a specific rule",
		"configuration-too-large": "config_limit_test.go",
		"leftovers-do-not-fit":    "annotation_limit_test.go",
		"too-many-to-compare":     "internal/migrate/facts_test.go",
	}
	scripts := allScripts(t)
	for _, r := range findings.Rules() {
		if _, isElsewhere := elsewhere[string(r.Name)]; !isElsewhere && !strings.Contains(scripts, string(r.Name)) {
			t.Errorf("no script has %s", r.Name)
		}
	}
}

// TestEveryFixIsDocumented checks that docs/command-line.md lists the rules whose findings convert fixes, and that a
// script tests each of them.
func TestEveryFixIsDocumented(t *testing.T) {
	_, page, _ := strings.Cut(page(t, "docs/command-line.md"), "### What changes together\n")
	page, _, _ = strings.Cut(page, "\n###")
	reported := regexp.MustCompile(`(?m)^\{"rule":"([a-z-]+)".*"fixed":true\}$`).FindAllStringSubmatch(allScripts(t),
		-1)
	if len(reported) < 5 {
		t.Fatalf("only %d fixes are reported by scripts", len(reported))
	}
	fixed := map[string]bool{}
	for _, r := range reported {
		rule := r[1]
		fixed[rule] = true
		if rule != "claim-version" && !strings.Contains(page, "\n| `"+rule+"`: ") {
			t.Errorf("docs/command-line.md does not say what changes by %s", rule)
		}
	}
	for _, row := range regexp.MustCompile("\n\\| `([a-z-]+)`: ").FindAllStringSubmatch(page, -1) {
		if !fixed[row[1]] {
			t.Errorf("no script shows that %s is fixed", row[1])
		}
	}
}

func allScripts(t *testing.T) string {
	t.Helper()
	var scripts strings.Builder
	for _, file := range must.Get(filepath.Glob("testdata/script/*.txtar"))(t) {
		scripts.WriteString(read(t, file))
	}
	return scripts.String()
}
