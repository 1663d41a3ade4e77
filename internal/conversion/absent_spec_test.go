package conversion

import (
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/objects"
)

// v1alpha1 and v1alpha2 allow no claim without a spec, so a client could not update one.
func TestAbsentSpecBecomesEmpty(t *testing.T) {
	const older = `{"resourceClassName":"claimbridge.dev","allocationMode":"WaitForFirstConsumer"}`
	const preserved = `"annotations":{"claimbridge.dev/v1-spec":"{}"}`
	for name, test := range map[string]struct{ kind, members, inV1alpha2, inV1 string }{
		"claim": {
			kind:       api.KindClaim,
			members:    `{}`,
			inV1alpha2: `{"metadata":{"name":"a",` + preserved + `},"spec":` + older + `}`,
			inV1:       `{"metadata":{"name":"a"},"spec":{}}`,
		},
		"claim with null": {
			kind:       api.KindClaim,
			members:    `{"spec":null}`,
			inV1alpha2: `{"metadata":{"name":"a",` + preserved + `},"spec":` + older + `}`,
			inV1:       `{"metadata":{"name":"a"},"spec":{}}`,
		},
		"template": {
			kind:       api.KindTemplate,
			members:    `{}`,
			inV1alpha2: `{"metadata":{"name":"a"},"spec":{"metadata":{` + preserved + `},"spec":` + older + `}}`,
			inV1:       `{"metadata":{"name":"a"},"spec":{"spec":{}}}`,
		},
		"template with null": {
			kind:       api.KindTemplate,
			members:    `{"spec":{"spec":null}}`,
			inV1alpha2: `{"metadata":{"name":"a"},"spec":{"metadata":{` + preserved + `},"spec":` + older + `}}`,
			inV1:       `{"metadata":{"name":"a"},"spec":{"spec":{}}}`,
		},
	} {
		for _, version := range []string{"v1alpha3", "v1beta1", "v1beta2", "v1"} {
			t.Run(name+" in "+version, func(t *testing.T) {
				object := objectOf(version, test.kind, `{"metadata":{"name":"a"}}`, objects.JSON(test.members))
				got, _ := converted(t, object, "v1alpha2", Options{})
				same(t, got, objectOf("v1alpha2", test.kind, "{}", objects.JSON(test.inV1alpha2)))
				got, _ = converted(t, got, "v1", Options{})
				same(t, got, objectOf("v1", test.kind, "{}", objects.JSON(test.inV1)))
			})
		}
	}
}

// A kustomize patch has a name, and often no spec.
func TestPatchInFileGetsNoSpec(t *testing.T) {
	const patch = `{"metadata":{"name":"a","labels":{"a":"b"}}}`
	got, _ := converted(t, objectOf("v1", api.KindClaim, "{}", patch), "v1alpha2", Options{OmitDefaults: true})
	same(t, got, objectOf("v1alpha2", api.KindClaim, "{}", patch))
}
