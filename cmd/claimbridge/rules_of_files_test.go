package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// A rule that no script has is one that nobody has seen at work. Some need more than a script can make.
func TestEveryRuleOfFilesIsInAScript(t *testing.T) {
	elsewhere := map[string]string{
		"skipped-file":            "spool_test.go, with a named pipe",
		"cannot-be-converted":     "it stands for what has no other name",
		"refused-by-release":      "it stands for refusals of a release that have no other name",
		"configuration-too-large": "toolarge_test.go",
		"leftovers-do-not-fit":    "incomplete_test.go",
		"too-many-to-compare":     "internal/migrate/facts_test.go",
	}
	scripts := allScripts(t)
	for _, r := range findings.Rules() {
		if _, known := elsewhere[string(r.Name)]; !known && !strings.Contains(scripts, string(r.Name)) {
			t.Errorf("no script has %s", r.Name)
		}
	}
}

// A fix that nobody is told of is a surprise, and one that no script reports is a promise.
func TestEveryFixIsOnThePageOfTheCommandLine(t *testing.T) {
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
