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
	for _, table := range []struct {
		begin, end string
		checks     []Check
	}{
		{"<!-- checks: written by UPDATE=1 go test ./webhook/preflight -run TestDocs -->\n", "<!-- end of checks -->", Checks},
		{"<!-- aggregated checks: written by UPDATE=1 go test ./webhook/preflight -run TestDocs -->\n", "<!-- end of aggregated checks -->", AggregatedChecks},
	} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		head, rest, ok := strings.Cut(string(text), table.begin)
		have, tail, ok2 := strings.Cut(rest, table.end)
		if !ok || !ok2 {
			t.Fatalf("%s has no place for the table that begins with %s", page, table.begin)
		}
		want := "| check | severity | why it matters | remedy |\n|---|---|---|---|\n"
		for _, c := range table.checks {
			want += fmt.Sprintf("| `%s` | %s | %s | %s |\n", c.Name, c.Severity, c.Reason, c.Remedy)
		}
		if have == want {
			continue
		}
		if os.Getenv("UPDATE") == "" {
			t.Fatalf("the table of checks in %s is not that of the code: UPDATE=1 go test ./webhook/preflight -run TestDocs writes it", page)
		}
		if err := os.WriteFile(page, []byte(head+table.begin+want+table.end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
