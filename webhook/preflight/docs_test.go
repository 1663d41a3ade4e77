package preflight

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the tables of checks anew")

const page = "../../docs/preflight.md"

// The page has a row for each check.
func TestDocsAreInStep(t *testing.T) {
	const begin, end = "<!-- checks: written by go test ./webhook/preflight -run TestDocs -update -->\n", "<!-- end of checks -->"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	have, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table of checks", page)
	}
	want := "| check | severity | why it matters |\n|---|---|---|\n"
	for _, c := range Checks {
		want += fmt.Sprintf("| `%s` | %s | %s |\n", c.Name, c.Severity, c.Reason)
	}
	if have == want {
		return
	}
	if !*update {
		t.Fatalf("the table of checks in %s is not that of the code: go test ./webhook/preflight -run TestDocs -update writes it", page)
	}
	if err := os.WriteFile(page, []byte(head+begin+want+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

// heading of a page that a remedy names, as it stands in Go.
var heading = regexp.MustCompile(`docs/([a-z-]+\.md)(?:,| shows under) \\"([^"\\]+)\\"`)

// Remedies lead to headings that are there.
func TestRemediesNameHeadings(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, file := range files {
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
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
