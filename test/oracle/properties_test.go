package oracle

import (
	"encoding/json"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/validation"
)

// TestAllocationsThroughOldVersionsAreValid validates them with the rules of claimbridge, which other tests compare
// with upstream.
func TestAllocationsThroughOldVersionsAreValid(t *testing.T) {
	allocate(t, objects.Count(t, "CLAIMBRIDGE_OBJECTS", 200), func(version string, r validation.Request) {
		r.Release = "1.36"
		if result, err := validation.Validate(t.Context(), r); err != nil || len(result.Errors) > 0 {
			t.Fatalf("an allocation through %s is rejected: %v %v\n%s", version, result.Errors, err, clip(r.Object))
		}
	})
}

// allocate calls a function with writes of a client of v1alpha1 or v1alpha2, converted to v1, that allocates claims
// that were created in v1.
func allocate(t *testing.T, count int, validate func(version string, r validation.Request)) {
	t.Helper()
	source := objects.New(objects.Seed(t))
	writes := 0
	for i := range max(20, count) {
		version := []string{"v1alpha1", "v1alpha2"}[i%2]
		claim := source.ForRelease("1.36").Object("v1", "ResourceClaim").(*v1.ResourceClaim)
		if len(claim.Spec.Devices.Requests) == 0 {
			continue // nothing is requested, so nothing is allocated
		}
		claim.Status = v1.ResourceClaimStatus{}
		v1.SetSpecDefaults(&claim.Spec)
		live := marshal(t, claim)
		projection, _ := must.Get2(conversion.ConvertJSON(live, version, conversion.Options{}))(t)
		written, allocated := parse(t, projection), parse(t, marshal(t, source.Object(version, "ResourceClaim")))
		status, _ := allocated["status"].(tree)
		if status["allocation"] == nil {
			continue
		}
		delete(status, "deallocationRequested")
		written["status"] = status
		converted, _, err := conversion.ConvertJSON(render(t, written, false), "v1", conversion.Options{})
		if err != nil {
			t.Fatalf("%s: %v\n%s", version, err, clip(render(t, written, false)))
		}
		var claimV1 v1.ResourceClaim
		must.Do(t, json.Unmarshal(converted, &claimV1))
		if len(claimV1.Status.Allocation.Devices.Config) > v1.AllocationConfigMaxSize {
			continue // exceeds the limit of v1
		}
		writes++
		validate(version, validation.Request{Operation: validation.UpdateStatus, OldObject: live, Object: converted})
	}
	if writes == 0 {
		t.Error("nothing was allocated")
	}
}

// TestConvertedObjectsHaveValidMetadata validates metadata with upstream's code, including everything that the
// conversion adds. TestConvertedObjectsAreValid of package validation checks the rest.
func TestConvertedObjectsHaveValidMetadata(t *testing.T) {
	source := objects.New(objects.Seed(t))
	for _, from := range conversion.Versions() {
		for _, kind := range objects.Kinds {
			for range objects.Count(t, "CLAIMBRIDGE_OBJECTS", 150) {
				object := marshal(t, source.Object(from, kind))
				for _, to := range conversion.Versions() {
					converted, _, err := conversion.ConvertJSON(object, to, conversion.Options{Strict: true})
					if err != nil {
						t.Fatalf("%s to %s: %v\n%s", from, to, err, clip(object))
					}
					o := must.Get(meta.Accessor(decoded(t, converted)))(t)
					errs := apivalidation.ValidateObjectMetaAccessor(o, true, apivalidation.NameIsDNSSubdomain,
						field.NewPath("metadata"))
					if len(errs) > 0 {
						t.Fatalf("%s to %s: %v\n%s", from, to, errs, clip(converted))
					}
				}
			}
		}
	}
}
