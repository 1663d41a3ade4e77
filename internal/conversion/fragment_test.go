package conversion

import (
	"cmp"
	"encoding/json"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/objects"
)

// Fragments are objects without a name, as server-side apply converts them. The conversion adds nothing to them.
func TestFragmentsStayFragments(t *testing.T) {
	for name, test := range objects.Cases[struct {
		Kind, From, To string
		Was, Is        objects.JSON
	}](t, "testdata/cases/fragments.yaml") {
		t.Run(name, func(t *testing.T) {
			kind := cmp.Or(test.Kind, api.KindClaim)
			got, _ := converted(t, objectOf(test.From, kind, "{}", test.Was), test.To, Options{Strict: true})
			same(t, got, objectOf(test.To, kind, `{"metadata":{}}`, test.Is))
		})
	}
}

// fragmentsGainNothing checks that a round trip adds nothing to any part of an object.
func fragmentsGainNothing(c *propertyCase) {
	var tree map[string]any
	if err := json.Unmarshal(c.withoutPreservedData(c.object), &tree); err != nil {
		c.Fatal(err)
	}
	delete(tree["metadata"].(map[string]any), "name")
	thin(c.Source, tree["spec"])
	thin(c.Source, tree["status"])
	fragment := encode(tree)
	output, _ := converted(c.T, fragment, c.to, Options{})
	back, _ := converted(c.T, output, c.from, Options{})
	for path := range addedPaths(fragment, back) {
		if !strings.HasSuffix(path, "claimbridgeLeftover") {
			c.Errorf("the fragment gained %s:\n%s\n%s\n%s", path, clip(fragment), clip(output), clip(back))
		}
	}
}

// thin removes members at random, never elements of lists: lists are atomic.
func thin(s objects.Source, value any) {
	object, ok := value.(map[string]any)
	if !ok {
		return
	}
	for name, member := range object {
		if s.IntN(4) == 0 {
			delete(object, name)
			continue
		}
		thin(s, member)
	}
}
