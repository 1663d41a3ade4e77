package oracle

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestConvertedObjectsHaveValidMetadata by upstream's own code, with all that conversion adds: that the rest is valid is the law of validity of
// package validation.
func TestConvertedObjectsHaveValidMetadata(t *testing.T) {
	source := objects.New(objects.Seed(t))
	for _, from := range conversion.Versions() {
		for _, kind := range objects.Kinds {
			for range objects.Count(t, "CLAIMBRIDGE_OBJECTS", 150) {
				object := marshal(t, source.Object(from, kind))
				for _, to := range conversion.Versions() {
					converted, _, err := conversion.JSON(object, to, conversion.Options{Strict: true})
					if err != nil {
						t.Fatalf("%s to %s: %v\n%s", from, to, err, clip(object))
					}
					o := must.Get(meta.Accessor(decoded(t, converted)))(t)
					errs := apivalidation.ValidateObjectMetaAccessor(o, true, apivalidation.NameIsDNSSubdomain, field.NewPath("metadata"))
					if len(errs) > 0 {
						t.Fatalf("%s to %s: %v\n%s", from, to, errs, clip(converted))
					}
				}
			}
		}
	}
}
