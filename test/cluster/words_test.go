//go:build e2e

package cluster

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/clients"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// What clients hear that work with the in-tree API is where they look for it, in these words.
func TestTroubleshootingHasTheWordsThatClientsHear(t *testing.T) {
	t.Parallel()
	a := bothAPIs(t)["here"]
	hears := func(method, path, body string, header map[string]string) func(t *testing.T) string {
		return func(t *testing.T) string {
			_, answer := a.ask(t, method, path, body, header)
			return answer
		}
	}
	if code, answer := a.ask(t, http.MethodPost, "", a.claim("a"), nil); code != http.StatusCreated {
		t.Fatalf("%d: %s", code, answer)
	}
	a.createWithStatus(t, a.typical(t, stored, claimKind, "allocated"))
	pages := map[string]string{}
	for _, name := range []string{"troubleshooting.md", "python.md"} {
		text := must.Get(os.ReadFile(filepath.Join("..", "..", "docs", name)))(t)
		pages[name] = string(text)
	}
	tests := map[string]struct {
		hears func(t *testing.T) string
		words string
		pages []string
	}{
		"a strategic merge patch": {
			hears(http.MethodPatch, "/a", "{}", map[string]string{"Content-Type": "application/strategic-merge-patch+json"}),
			"the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
			[]string{"troubleshooting.md", "python.md"},
		},
		"a body without a kind": {
			hears(http.MethodPost, "", a.body(`"metadata":{"name":"b"}`), nil),
			"the object provided is unrecognized (must be of type ResourceClaim): Object 'Kind' is missing in", []string{"troubleshooting.md", "python.md"},
		},
		"a status by a client of 1.28": {
			func(t *testing.T) string {
				needsTypedClients(t)
				_, refusal := a.typedClient(t, clients.Unstructured, "v1alpha2").try(t, question{"do": "updateStatus", "name": "allocated", "reserve": consumer(0)})
				return refusal
			},
			"status.allocation: Invalid value: field is immutable", []string{"troubleshooting.md"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if says := test.hears(t); !strings.Contains(says, test.words) {
				t.Errorf("it says %s", says)
			}
			for _, page := range test.pages {
				if !strings.Contains(pages[page], test.words) {
					t.Errorf("docs/%s does not have: %s", page, test.words)
				}
			}
		})
	}
}
