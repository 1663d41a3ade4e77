package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/preflight"
)

// TestResultsOfPreflight verifies the text and the JSON of results, and the error that ends a run.
func TestResultsOfPreflight(t *testing.T) {
	missing := preflight.Result{
		Check: "one", State: preflight.Problem, Reasons: []string{"Service a/b is <missing>", "Service a/c is too"},
		Hint: "https://example.com/#one",
	}
	late := preflight.Result{
		Check: "two", State: preflight.Warning, Reasons: []string{"it is late"}, Hint: "https://example.com/#two",
	}
	unread := preflight.Result{
		Check: "three", State: preflight.Unknown, Reasons: []string{"it cannot be read"}, Hint: "https://example.com/#u",
	}
	after := preflight.Result{Check: "four", State: preflight.Skipped, SkippedBecause: "one"}
	ok := preflight.Result{Check: "five", State: preflight.OK}
	for name, test := range map[string]struct {
		results          []preflight.Result
		text, json, fail string
	}{
		"all is well": {
			results: []preflight.Result{ok},
			text:    "√ five\nno problems found (1 check)\n",
			json:    `{"check":"five","state":"ok"}` + "\n",
		},
		"a warning is no failure": {
			results: []preflight.Result{late, ok},
			text: `‼ two
    it is late
    see https://example.com/#two
√ five
1 warning (2 checks)
`,
			json: `{"check":"two","state":"warning","reasons":["it is late"],"hint":"https://example.com/#two"}
{"check":"five","state":"ok"}
`,
		},
		"one of each": {
			results: []preflight.Result{missing, late, unread, after, ok},
			text: `× one
    Service a/b is <missing>
    Service a/c is too
    see https://example.com/#one
‼ two
    it is late
    see https://example.com/#two
? three
    it cannot be read
    see https://example.com/#u
- four (skipped, see one)
√ five
1 problem, 1 unknown, 1 warning (5 checks)
`,
			json: `{"check":"one","state":"problem","reasons":["Service a/b is <missing>","Service a/c is too"],` +
				`"hint":"https://example.com/#one"}
{"check":"two","state":"warning","reasons":["it is late"],"hint":"https://example.com/#two"}
{"check":"three","state":"unknown","reasons":["it cannot be read"],"hint":"https://example.com/#u"}
{"check":"four","state":"skipped","follows":"one"}
{"check":"five","state":"ok"}
`,
			fail: "1 problem, 1 unknown",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var text, json strings.Builder
			must.Do(t, writeResults(&text, test.results))
			must.Do(t, writeJSONLines(&json, test.results))
			if diff := cmp.Diff(test.text, text.String()); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.json, json.String()); diff != "" {
				t.Errorf("JSON (-want +got):\n%s", diff)
			}
			if got := countResults(test.results, preflight.Problem, preflight.Unknown); got != test.fail {
				t.Errorf("failure %q, want %q", got, test.fail)
			}
		})
	}
}
