package yamldoc

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// copyStream returns a stream that is read and written unchanged.
func copyStream(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	w := NewWriter(&b, "yaml")
	r := NewReader(strings.NewReader(text), "x")
	r.Comments = true
	for d, err := range documents(r) {
		must.Do(t, err)
		if d.Text != nil {
			err = w.WriteText(d.Text)
		} else {
			err = w.WriteObject(d.object)
		}
		must.Do(t, err)
	}
	must.Do(t, w.Flush())
	return b.String()
}

func TestStandaloneCommentsAreKept(t *testing.T) {
	long := strings.Repeat("# as long as a license\n", 3*maxHead/23)
	tests := map[string]struct{ text, want string }{
		"before the first separator": {"# a\n\n# b\n---\nkind: A\n", "# a\n\n# b\n---\nkind: A\n"},
		"in a separate document": {
			"kind: A\n---\n# a\n---\nkind: B\n", "kind: A\n---\n# a\n---\nkind: B\n",
		},
		"at the end": {"kind: A\n---\n# a", "kind: A\n---\n# a\n"},
		"after an end marker": {
			"kind: A\n...\n# a\n---\nkind: B\n", "kind: A\n---\n# a\n---\nkind: B\n",
		},
		"on the line of a separator": {
			"kind: A\n--- # a\nkind: B\n", "kind: A\n---\n# a\n---\nkind: B\n",
		},
		"content on a separator line": {"kind: A\n--- {kind: B}\n", "kind: A\n--- {kind: B}\n"},
		"with a directive": {
			"kind: A\n...\n%YAML 1.2\n# a\n---\nkind: B\n",
			"kind: A\n---\n# a\n---\nkind: B\n",
		},
		"beside a null":                     {"kind: A\n---\n# a\n~ # b\n", "kind: A\n---\n# a\n~ # b\n"},
		"before JSON":                       {"# a\n{\"kind\": \"A\"}\n", "# a\n---\nkind: A\n"},
		"with CRLF":                         {"# a\r\n---\r\nkind: A\r\n", "# a\r\n---\nkind: A\r\n"},
		"longer than a license":             {long + "---\nkind: A\n", long + "---\nkind: A\n"},
		"before a document":                 {"---\n# a\nkind: A\n", "# a\nkind: A\n"},
		"blank lines alone are no document": {"\n---\n\n---\nkind: A\n---\n\n", "kind: A\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := copyStream(t, test.text)
			if name == "longer than a license" { // the comments may be divided at any line
				got, test.want = strings.ReplaceAll(got, "---\n", ""), strings.ReplaceAll(test.want, "---\n", "")
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
