package findings

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var update = flag.Bool("update", false, "write the page of findings and the golden reports")

const (
	page       = "../../docs/findings.md"
	tableBegin = "<!-- the table begins; go test ./internal/findings -update writes it -->\n"
	tableEnd   = "<!-- the table ends -->\n"
)

// TestThePageHasEveryRule checks that docs/findings.md has the tables that are generated from the rules.
func TestThePageHasEveryRule(t *testing.T) {
	text := must.Get(os.ReadFile(page))(t)
	before, rest, begins := strings.Cut(string(text), tableBegin)
	_, after, ends := strings.Cut(rest, tableEnd)
	if !begins || !ends {
		t.Fatalf("%s has no table", page)
	}
	var b strings.Builder
	b.WriteString(before + tableBegin)
	for _, severity := range []Severity{Error, Warning} {
		fmt.Fprintf(&b, "\n## %s\n\n| rule | cause | what to do |\n|---|---|---|\n",
			map[Severity]string{Error: "Errors", Warning: "Warnings"}[severity])
		for _, r := range Rules() {
			if r.Severity == severity {
				cell := strings.NewReplacer("|", `\|`).Replace
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.Name, cell(r.Reason), cell(r.Remedy))
			}
		}
	}
	b.WriteString("\n" + tableEnd + after)
	if *update {
		must.Do(t, os.WriteFile(page, []byte(b.String()), 0o600))
		return
	}
	if diff := cmp.Diff(string(text), b.String()); diff != "" {
		t.Errorf("%s differs from the rules in the code, -update regenerates it (-page +code):\n%s", page, diff)
	}
}
