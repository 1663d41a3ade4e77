package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/preflight"
)

func TestFindings(t *testing.T) {
	service := preflight.Object{Kind: "Service", Namespace: "a", Name: "b"}
	missing := preflight.Finding{
		Severity: preflight.Problem, Object: service, What: "does not exist", Remedy: "create it",
		Command: "make it | so",
	}
	late := preflight.Finding{
		Severity: preflight.Warning,
		Object:   preflight.Object{Kind: "API group", Name: "g"},
		What:     "is <late>",
		Remedy:   "hurry",
	}
	hidden := preflight.Finding{
		Severity: preflight.Unknown,
		Object:   preflight.Object{Kind: "APIService"},
		What:     "could not look",
		Remedy:   "allow it",
	}
	result := func(name string, findings ...preflight.Finding) preflight.Result {
		return preflight.Result{Check: &preflight.Check{Name: name}, Findings: findings}
	}
	tests := map[string]struct {
		results           []preflight.Result
		verbose           bool
		text, json, grave string
	}{
		"nothing is found": {
			results: []preflight.Result{result("one"), result("two")},
			text:    "no problems found (2 checks)\n",
			json: `{"check":"one","state":"ok","findings":[]}
{"check":"two","state":"ok","findings":[]}
`,
		},
		"the gravest comes first": {
			results: []preflight.Result{
				result("one", late), result("two", hidden), result("three", missing), result("four"),
			},
			verbose: true,
			text: `problem: Service a/b: does not exist (three)
  remedy: create it
    make it | so
unknown: APIService: could not look (two)
  remedy: allow it
warning: API group g: is <late> (one)
  remedy: hurry
ok: four
1 problem, 1 could not be looked at, 1 warning (4 checks)
`,
			json: `{"check":"one","state":"warning","findings":[{"severity":"warning","object":{"kind":"API group","name":"g"},"what":"is <late>","remedy":"hurry"}]}
{"check":"two","state":"unknown","findings":[{"severity":"unknown","object":{"kind":"APIService"},"what":"could not look","remedy":"allow it"}]}
{"check":"three","state":"problem","findings":[{"severity":"problem","object":{"kind":"Service","namespace":"a","name":"b"},"what":"does not exist","remedy":"create it","command":"make it | so"}]}
{"check":"four","state":"ok","findings":[]}
`,
			grave: "1 problem, 1 could not be looked at",
		},
		"what follows from another check's finding is not ok": {
			results: []preflight.Result{result("one", missing), {Check: &preflight.Check{Name: "two"}, Follows: "one"}},
			verbose: true,
			text: `problem: Service a/b: does not exist (one)
  remedy: create it
    make it | so
unknown: two (see one)
1 problem (2 checks)
`,
			json: `{"check":"one","state":"problem","findings":[{"severity":"problem","object":{"kind":"Service","namespace":"a","name":"b"},"what":"does not exist","remedy":"create it","command":"make it | so"}]}
{"check":"two","state":"unknown","follows":"one","findings":[]}
`,
			grave: "1 problem",
		},
		"what several checks say stands once": {
			results: []preflight.Result{result("one", hidden, missing), result("two", hidden), result("three", late)},
			text: `problem: Service a/b: does not exist (one)
  remedy: create it
    make it | so
unknown: APIService: could not look (one, two)
  remedy: allow it
warning: API group g: is <late> (three)
  remedy: hurry
1 problem, 1 could not be looked at, 1 warning (3 checks)
`,
			json: `{"check":"one","state":"problem","findings":[{"severity":"unknown","object":{"kind":"APIService"},"what":"could not look","remedy":"allow it"},{"severity":"problem","object":{"kind":"Service","namespace":"a","name":"b"},"what":"does not exist","remedy":"create it","command":"make it | so"}]}
{"check":"two","state":"unknown","findings":[{"severity":"unknown","object":{"kind":"APIService"},"what":"could not look","remedy":"allow it"}]}
{"check":"three","state":"warning","findings":[{"severity":"warning","object":{"kind":"API group","name":"g"},"what":"is <late>","remedy":"hurry"}]}
`,
			grave: "1 problem, 1 could not be looked at",
		},
		"warnings are no failure": {
			results: []preflight.Result{
				result("one", late, preflight.Finding{
					Severity: preflight.Warning, Object: service, What: "is slow", Remedy: "wait",
				}),
			},
			text: `warning: API group g: is <late> (one)
  remedy: hurry
warning: Service a/b: is slow (one)
  remedy: wait
2 warnings (1 checks)
`,
			json: `{"check":"one","state":"warning","findings":[{"severity":"warning","object":{"kind":"API group","name":"g"},"what":"is <late>","remedy":"hurry"},{"severity":"warning","object":{"kind":"Service","namespace":"a","name":"b"},"what":"is slow","remedy":"wait"}]}
`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var text, json strings.Builder
			must.Do(t, findingsText(&text, test.results, test.verbose))
			must.Do(t, findingsJSON(&json, test.results))
			if diff := cmp.Diff(test.text, text.String()); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.json, json.String()); diff != "" {
				t.Errorf("JSON (-want +got):\n%s", diff)
			}
			if got := summary(grave(test.results)); got != test.grave {
				t.Errorf("failure %q, want %q", got, test.grave)
			}
		})
	}
}
