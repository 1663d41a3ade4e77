package conversion

import (
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
)

// What later releases added to v1alpha3 no other version can say. Should it be stored all the same, from before there
// was a webhook that refuses it, reading it in another version says what is missing there.
func TestFieldsOfLaterReleasesAreReported(t *testing.T) {
	const claim = `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"a"},
		"spec":{"devices":{"requests":[{"name":"r","firstAvailable":[{"name":"s"}],"tolerations":[{"key":"k"}]}]}},
		"status":{"allocation":{"devices":{"results":[{"request":"r","adminAccess":true,"tolerations":[{"key":"k"}]}]}},"devices":[{"driver":"d"}]}}`
	_, report, err := JSON([]byte(claim), "v1alpha2", Options{})
	if err != nil {
		t.Fatal(err)
	}
	v1alpha3, _ := api.Find("v1alpha3")
	for _, later := range v1alpha3.LaterFields {
		if path := strings.ReplaceAll(later.Path, "[]", "[0]"); !slices.Contains(report.Unknown, path) {
			t.Errorf("%s is missing in %q", path, report.Unknown)
		}
	}
	if _, _, err := JSON([]byte(claim), "v1alpha2", Options{Strict: true}); err == nil {
		t.Error("a strict conversion takes them")
	}
}
