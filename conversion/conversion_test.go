package conversion_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/conversion"
)

// A manifest gets neither defaults nor fields that only claimbridge's CRDs have. Other objects get both.
func TestManifests(t *testing.T) {
	const claim = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"},` +
		`"spec":{"devices":{"requests":[{"name":"b","exactly":{"deviceClassName":"c"}}]}},` +
		`"status":{"devices":[{"driver":"d","pool":"e","device":"f","shareID":"g"}]}}`
	for isManifest, isExpected := range map[bool]bool{false: true, true: false} {
		out, report, err := conversion.ConvertJSON([]byte(claim), "v1alpha3", conversion.Options{Manifest: isManifest})
		if err != nil {
			t.Fatal(err)
		}
		for _, field := range []string{"allocationMode", "claimbridgeLeftover"} {
			if strings.Contains(string(out), field) != isExpected {
				t.Errorf("Manifest is %v: %s is in the result: %v, want %v\n%s", isManifest, field, !isExpected, isExpected, out)
			}
		}
		if len(report.Preserved) == 0 {
			t.Errorf("Manifest is %v: the report names nothing that is preserved", isManifest)
		}
	}
}

func TestVersions(t *testing.T) {
	want := []string{"v1alpha1", "v1alpha2", "v1alpha3", "v1beta1", "v1beta2", "v1"}
	if got := conversion.Versions(); !slices.Equal(got, want) {
		t.Errorf("Versions() = %v, want %v", got, want)
	}
}

func TestReadHeader(t *testing.T) {
	header, err := conversion.ReadHeader([]byte(`{"apiVersion":"example.com/v2","kind":"A","metadata":{"name":"b"}}`))
	want := conversion.Header{Group: "example.com", Version: "v2", Kind: "A", Name: "b"}
	if err != nil || header != want {
		t.Errorf("ReadHeader() = %+v, %v, want %+v", header, err, want)
	}
}
