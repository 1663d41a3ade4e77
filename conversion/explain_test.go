package conversion

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/objects"
)

func TestExplain(t *testing.T) {
	object := `{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim","metadata":{"name":"a"},` +
		`"spec":{"resourceClassName":"c"},"status":{"driverName":"d","allocation":{"resourceHandle":"x","shareable":true}}}`
	got, err := Explain([]byte(object), "v1alpha3")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"v1alpha1 -> v1alpha2: status.allocation.resourceHandle -> status.allocation.resourceHandles[].data (one handle, for status.driverName)",
		"v1alpha2 -> v1alpha3: spec.resourceClassName -> spec.devices.requests[].deviceClassName (one request named claim)",
		"v1alpha2 -> v1alpha3: status.driverName -> status.allocation.controller (unless all handles are structured)",
		"v1alpha2 -> v1alpha3: status.allocation.resourceHandles[].driverName -> status.allocation.devices.results[].driver",
		"v1alpha2 -> v1alpha3: status.allocation.resourceHandles[].data -> status.allocation.devices.config[].opaque.parameters.data (kind ResourceHandle, which drivers ignore unless they know that kind)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Each row of the explanation can be seen: the steps do move a field so. What is said was checked on the object itself.
func TestMovesAreWhatStepsDo(t *testing.T) {
	s := objects.New(seed(t))
	for _, link := range links {
		for _, row := range link.Moves {
			found := 0
			for range 200 {
				old := encode(s.Object(link.Old, api.KindClaim))
				new, _, err := JSON(old, link.New, Options{})
				if err != nil {
					t.Fatal(err)
				}
				had, has := map[string]bool{}, map[string]bool{}
				paths(old, had)
				paths(new, has)
				if had[row.Old] && has[row.New] {
					found++
				}
			}
			if found < 5 {
				t.Errorf("%s: %s -> %s: true of %d objects of 200", link.Key.Step, row.Old, row.New, found)
			}
		}
	}
}
