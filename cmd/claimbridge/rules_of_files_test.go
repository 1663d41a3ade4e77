package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
)

// A rule that no script has is one that nobody has seen at work. Some need more than a script can make.
func TestEveryRuleOfFilesIsInAScript(t *testing.T) {
	elsewhere := map[string]string{
		"skipped-file":            "spool_test.go, with a named pipe",
		"cannot-be-converted":     "it stands for what has no other name",
		"refused-by-release":      "it stands for refusals of a release that have no other name",
		"configuration-too-large": "toolarge_test.go",
		"leftovers-do-not-fit":    "incomplete_test.go",
		"too-many-to-compare":     "internal/convert/compared_test.go",
		"text-not-searched":       "internal/convert/compared_test.go",
	}
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	var scripts strings.Builder
	for _, file := range files {
		scripts.WriteString(read(t, file))
	}
	for _, r := range finding.Rules() {
		if _, known := elsewhere[r.Name]; !known && !strings.Contains(scripts.String(), r.Name) {
			t.Errorf("no script has %s", r.Name)
		}
	}
}
