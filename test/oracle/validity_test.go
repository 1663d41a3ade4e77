//go:build oracle

package oracle

import (
	"slices"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/validation"
)

// defaultValidators returns the chosen validators of default releases, by version.
func defaultValidators(t *testing.T) map[string]*upstream {
	t.Helper()
	running := map[string]*upstream{}
	for _, v := range chosen(t) {
		for _, version := range v.Versions {
			if DefaultReleases[version] == v.Name {
				running[version] = v.start(t)
			}
		}
	}
	return running
}

// TestConvertedObjectsAreValidUpstream checks with the validators of the releases that an object that is valid in its
// own version is valid in each other release after conversion, including the metadata that the conversion adds. 1.33
// validates the fields that 1.32 and 1.33 added to v1alpha3, with their feature gates enabled.
func TestConvertedObjectsAreValidUpstream(t *testing.T) {
	first := objects.Seed(t)
	validators := defaultValidators(t)
	var laterFields *upstream
	if slices.ContainsFunc(chosen(t), func(v Validator) bool { return v.Name == "1.33" }) {
		v, _ := Find("1.33")
		laterFields = v.start(t, "DRAPrioritizedList=true,DRAAdminAccess=true")
	}
	count := comparisons(t) / 20
	for _, from := range conversion.Versions() {
		for _, kind := range objects.Kinds {
			source := objects.New(first)
			if from == "v1alpha3" {
				source = source.ForRelease("1.31")
			}
			for range count {
				object := marshal(t, source.Object(from, kind))
				validators[from].checkAccepted(t, "created", object)
				for _, to := range conversion.Versions() {
					if to == from {
						continue
					}
					converted, _, err := conversion.ConvertJSON(object, to, conversion.Options{Strict: true})
					if err != nil {
						t.Fatalf("CLAIMBRIDGE_SEED=%d: %s to %s: %v\n%s", first, from, to, err, clip(object))
					}
					validator := validators[to]
					if to == "v1alpha3" && api.HasDevices(from) {
						validator = laterFields
					}
					validator.checkAccepted(t, "converted from "+from, converted)
				}
			}
			t.Logf("%d of %s %s", count, from, kind)
		}
	}
}

// checkAccepted checks that a release accepts the create of an object, and the write of its status. Without a
// validator, it does nothing.
func (u *upstream) checkAccepted(t *testing.T, name string, object []byte) {
	t.Helper()
	if u == nil {
		return
	}
	requests := []validation.Request{{Operation: validation.Create, Object: object}}
	o := parse(t, object)
	if u.Name == "1.31" && hasLaterFields(o) {
		return // the release does not have the fields, and without them an alternative has no class
	}
	dropClaimbridgeField(o)
	object = render(t, o, false)
	requests[0].Object = object
	if o["status"] != nil {
		delete(o, "status")
		requests = append(requests, validation.Request{
			Operation: validation.UpdateStatus, OldObject: render(t, o, false), Object: object,
		})
	}
	for _, r := range requests {
		if a := u.ask(t, r); len(a.Errors) > 0 || a.Undecodable != "" || a.Panic != "" {
			t.Fatalf("%s: Kubernetes %s rejects the %s: %v %s\n%s", name, u.Name, r.Operation, a.Errors,
				a.Undecodable+a.Panic, clip(object))
		}
	}
}
