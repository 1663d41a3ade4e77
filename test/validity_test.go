package test

import (
	"encoding/json"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/validation"
)

// TestConvertedObjectsAreValidUpstream is the law of validity by the judges of the releases: what is valid in its own
// version is valid, after conversion, in each other release, metadata with all that conversion adds included. What 1.32 and
// 1.33 added to v1alpha3 is for 1.33 to judge, with the gates of these fields open; its limits are those of all later versions,
// to which what was converted up from an older one keeps as well.
func TestConvertedObjectsAreValidUpstream(t *testing.T) {
	seed := objects.Seed(t)
	judges := map[string]*upstream{}
	for _, r := range releases {
		judges[r.version] = r.start(t)
	}
	added := judgeOf("1.33").start(t, "DRAPrioritizedList=true,DRAAdminAccess=true")
	count := comparisons(t) / 20
	for _, from := range conversion.Versions() {
		for _, kind := range objects.Kinds {
			source := objects.New(seed)
			if from == "v1alpha3" {
				source = source.Of("1.31")
			}
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
					judge := judges[to]
					if to == "v1alpha3" && api.HasDevices(from) {
						judge = added
					}
					judge.accepts(t, "converted from "+from, converted)
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
	if u.name == "1.31" && hasLaterFields(o) {
		return // which it does not know: an alternative has no class to it
	}
	dropOurField(o)
	object = render(t, o, false)
	requests[0].Object = object
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
