package conversion

import (
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
)

// TestEveryVersionHasAStep holds the list of steps against the table of versions.
func TestEveryVersionHasAStep(t *testing.T) {
	names := api.Names()
	for i, name := range names[1:] {
		if i >= len(links) {
			t.Errorf("no step leads to %s: write conversion/internal/%s from %s, and list it in conversion/chain.go",
				name, name, names[i])
		} else if links[i].Old != names[i] || links[i].New != name {
			t.Errorf("step %d is from %s to %s, and the table of versions has %s and %s there", i, links[i].Old,
				links[i].New, names[i], name)
		}
	}
	if len(links) > len(names)-1 {
		t.Errorf("%d steps between %d versions: api/versions.go lacks a row", len(links), len(names))
	}
	for i := range links {
		if findings := links.Inspect(chain.Claim{Form: chain.Form{Complete: true}}, i); len(findings) > 0 {
			t.Errorf("of an empty claim from %s it finds %v", names[i], findings)
		}
	}
}
