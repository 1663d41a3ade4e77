package preflight

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

const page = "../../docs/preflight.md"

// The page has a row for each check.
func TestDocsAreInStep(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "TestDocs -->\n", "<!-- end of checks -->"
	head, rest, ok := strings.Cut(string(text), begin)
	table, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table of checks", page)
	}
	want := "| check | severity | why it matters | remedy |\n|---|---|---|---|\n"
	for _, c := range Checks {
		want += fmt.Sprintf("| `%s` | %s | %s | %s |\n", c.Name, c.Severity, c.Reason, c.Remedy)
	}
	if table == want {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Fatalf("the table of checks in %s is not that of the code: UPDATE=1 go test ./webhook/preflight -run TestDocs writes it", page)
	}
	if err := os.WriteFile(page, []byte(head+begin+want+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}
