package oracle

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/test/objects"
)

// recordedConversions of each release are of objects from the seeds 0, 1 and so on.
const recordedConversions = 150

// converting are the judges of releases that serve several versions.
func converting() []Judge {
	return slices.DeleteFunc(slices.Clone(Judges), func(j Judge) bool { return len(j.Versions) < 2 })
}

func conversionRecord(t *testing.T) *record {
	t.Helper()
	r := open(t, "conversions", converting())
	r.form = asDecoded
	return r
}

// TestConversionIsUpstreams compares conversion, and defaults, with what each release made of the same objects.
func TestConversionIsUpstreams(t *testing.T) {
	r := conversionRecord(t)
	for _, j := range converting() {
		t.Run("Kubernetes "+j.Name, func(t *testing.T) { convertsLikeUs(t, r.of(j), 0, recordedConversions) })
	}
}

// convertsLikeUs wants each object of a release's fields to become the same in each version that it serves, here and there.
func convertsLikeUs(t *testing.T, u *upstream, first uint64, count int) {
	t.Helper()
	for i := range count {
		seed := first + uint64(i)
		from, kind := u.Versions[i%len(u.Versions)], objects.Kinds[i/len(u.Versions)%2]
		object := objects.New(seed).Of(u.Name).Object(from, kind)
		sent := kjson.Marshal(object)
		v, _ := api.Find(from)
		v.SetDefaults(object)
		if claim, ok := object.(*v1.ResourceClaim); ok {
			claim.Status.ClaimbridgeDeallocationRequested = false // which no release has
		}
		known, err := json.Marshal(object) // as upstream writes it
		if err != nil {
			t.Fatal(err)
		}
		u.makes(t, seed, sent, from, known)
		for _, to := range u.Versions {
			if to == from {
				continue
			}
			ours, report, err := conversion.JSON(known, to, conversion.Options{Strict: true, AnnotationsOnly: true})
			if err != nil {
				t.Fatalf("CLAIMBRIDGE_SEED=%d to %s: %v\n%s", seed, to, err, clip(known))
			}
			if carried := slices.Concat(report.Carried, report.Lost); len(carried) > 0 || report.Incomplete != "" {
				t.Errorf("CLAIMBRIDGE_SEED=%d to %s: left over %q", seed, to, carried)
			}
			u.makes(t, seed, known, to, ours)
		}
	}
}

// makes wants upstream to make of an object, in a version, what we make of it.
func (u *upstream) makes(t *testing.T, seed uint64, object []byte, to string, ours []byte) {
	t.Helper()
	before := u.unanswered
	theirs := u.convert(t, object, to, true)
	switch {
	case u.unanswered > before:
		t.Fatalf("CLAIMBRIDGE_SEED=%d to %s: %s", seed, to, another)
	case theirs.Undecodable+theirs.Panic != "":
		t.Fatalf("CLAIMBRIDGE_SEED=%d: Kubernetes %s: %s\n%s", seed, u.Name, theirs.Undecodable+theirs.Panic, clip(object))
	case theirs.Object == nil:
		if got := digest(asDecoded(t, ours)); got != theirs.digest {
			t.Fatalf("CLAIMBRIDGE_SEED=%d: Kubernetes %s made another object of it in %s; with the seed, make oracle RELEASES=%s shows which\nours: %s\nof: %s",
				seed, u.Name, to, u.Name, clip(ours), clip(object))
		}
	default:
		if got, want := decoded(t, ours), decoded(t, theirs.Object); !equality.Semantic.DeepEqual(got, want) {
			t.Fatalf("CLAIMBRIDGE_SEED=%d: Kubernetes %s to %s (-theirs +ours):\n%s\n%s", seed, u.Name, to, cmp.Diff(want, got), clip(object))
		}
	}
}

// decoded reads an object of any version.
func decoded(t *testing.T, object []byte) runtime.Object {
	t.Helper()
	h, err := conversion.ReadHeader(object)
	if err != nil {
		t.Fatal(err)
	}
	into := api.New(h.Version, h.Kind)
	if unknown, err := conversion.Decode(object, into); err != nil || len(unknown) > 0 {
		t.Fatalf("%v, unknown %v\n%s", err, unknown, clip(object))
	}
	return into
}

// asDecoded is an object in the one text of all texts that are read alike.
func asDecoded(t *testing.T, object []byte) []byte {
	t.Helper()
	text, err := json.Marshal(decoded(t, object))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
