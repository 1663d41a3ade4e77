package test

import (
	"encoding/json"
	"testing"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/validation"
)

// TestConvertedObjectsAreValidUpstream is the law of validity by the judges of the releases: what is valid in its own
// version is valid, after conversion, in each other release, metadata with all that conversion adds included.
func TestConvertedObjectsAreValidUpstream(t *testing.T) {
	seed := objects.Seed(t)
	judges := map[string]*upstream{}
	for _, r := range releases {
		judges[r.version] = r.start(t)
	}
	count := comparisons(t) / 20
	for _, from := range conversion.Versions() {
		for _, kind := range objects.Kinds {
			source := objects.New(seed)
			for range count {
				object, err := json.Marshal(source.Object(from, kind))
				if err != nil {
					t.Fatal(err)
				}
				judges[from].accepts(t, "made", object)
				for _, to := range conversion.Versions() {
					if to == from {
						continue
					}
					converted, _, err := conversion.JSON(object, to, conversion.Options{Strict: true})
					if err != nil {
						t.Fatalf("CLAIMBRIDGE_SEED=%d: %s to %s: %v\n%s", seed, from, to, err, clip(object))
					}
					judges[to].accepts(t, "converted from "+from, converted)
				}
			}
			t.Logf("%d of %s %s", count, from, kind)
		}
	}
}

// accepts wants an object to be created, and then to be given its status.
func (u *upstream) accepts(t *testing.T, what string, object []byte) {
	t.Helper()
	requests := []validation.Request{{Operation: validation.Create, Object: object}}
	o := parse(t, object)
	if o["status"] != nil {
		delete(o, "status")
		requests = append(requests, validation.Request{Operation: validation.UpdateStatus, OldObject: render(t, o, false), Object: object})
	}
	for _, r := range requests {
		if a := u.ask(t, r); len(a.Errors) > 0 || a.Undecodable != "" || a.Panic != "" {
			t.Fatalf("%s: Kubernetes %s refuses the %s: %v %s\n%s", what, u.name, r.Operation, a.Errors, a.Undecodable+a.Panic, clip(object))
		}
	}
}
