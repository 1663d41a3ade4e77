package explain

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the page anew")

const (
	page  = "../../docs/errors.md"
	begin = "<!-- the errors begin; go test ./internal/explain -update writes them -->\n"
)

// The page has what the program says, so that who searches for a text finds it.
func TestThePageHasEveryError(t *testing.T) {
	content, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, got, ok := strings.Cut(string(content), begin)
	if !ok {
		t.Fatalf("%s has no line %q", page, begin)
	}
	var b strings.Builder
	for _, r := range Rows {
		answer, known := Text(r.Seen[0].Text)
		if !known || answer.Name != r.Name {
			t.Errorf("%q is explained by %q", r.Seen[0].Text, answer.Name)
		}
		fmt.Fprintf(&b, "\n## %s\n", r.Name)
		var threads []string
		for _, s := range r.Seen {
			fmt.Fprintf(&b, "\n> %s\n", s.Text)
			for _, thread := range s.Threads {
				repository, number, _ := strings.Cut(thread, "#")
				threads = append(threads, fmt.Sprintf("[%s](https://github.com/%s/issues/%s)", thread, repository, number))
			}
		}
		fmt.Fprintf(&b, "\n%s\n\n%s\n\n%s\n\n    %s\n", answer.Cause, answer.Releases, answer.Native, answer.Command)
		if len(threads) > 0 {
			fmt.Fprintf(&b, "\nAsked in %s.\n", strings.Join(threads, ", "))
		}
	}
	if got == b.String() {
		return
	}
	if !*update {
		t.Fatalf("%s, write it anew with -update (-want +got):\n%s", page, cmp.Diff(b.String(), got))
	}
	if err := os.WriteFile(page, []byte(head+begin+b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
