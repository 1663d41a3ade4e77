package conversion

import (
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/objects"
)

// Devices with only empty lists round-trip through every version in which a client can write them, without an
// annotation. Claims would inherit an annotation of a template.
func TestEmptyDevicesNeedNoAnnotation(t *testing.T) {
	const lists = `{"devices":{"requests":[],"constraints":[],"config":[]}}`
	const status = `{"allocation":{"devices":{"results":[],"config":[]}}}`
	for name, test := range map[string]struct {
		kind, members, want string
	}{
		"no request": {api.KindClaim, `{"spec":{"devices":{"requests":[]}}}`, `{"spec":{}}`},
		"no list":    {api.KindClaim, `{"spec":` + lists + `}`, `{"spec":{}}`},
		"template":   {api.KindTemplate, `{"spec":{"spec":` + lists + `}}`, `{"spec":{"spec":{}}}`},
		"allocation": {
			api.KindClaim,
			`{"spec":` + lists + `,"status":` + status + `}`,
			`{"spec":{},"status":{"allocation":{}}}`,
		},
	} {
		for _, version := range []string{"v1alpha3", "v1beta1", "v1beta2"} {
			t.Run(name+" in "+version, func(t *testing.T) {
				object := objectOf(version, test.kind, anObject, objects.JSON(test.members))
				stored, _ := converted(t, object, Stored(), Options{})
				same(t, stored, objectOf(Stored(), test.kind, anObject, objects.JSON(test.want)))
				_, report := converted(t, stored, "v1alpha3", Options{ListPreserved: true})
				if len(report.Preserved) > 0 {
					t.Errorf("preserved: %q", report.Preserved)
				}
			})
		}
	}
}
