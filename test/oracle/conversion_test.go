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
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// objectRecord is a record of the objects that each release converts, from the seeds 0, 1 and so on, up to a count.
type objectRecord struct {
	name     string
	includes func(Validator) bool
	// canonical returns the form of an object that is compared.
	canonical func(t *testing.T, object []byte) []byte
	compare   func(t *testing.T, u *upstream, first uint64, count int)
	count     int
}

var objectRecords = []objectRecord{
	{
		name:      "conversions",
		includes:  func(v Validator) bool { return len(v.Versions) > 1 },
		canonical: canonicalObject,
		compare:   compareConversions,
		count:     150,
	},
	{
		name:      "projections",
		includes:  func(v Validator) bool { return slices.Contains(v.Versions, "v1") },
		canonical: trimmedObject,
		compare:   compareProjections,
		count:     80,
	},
}

// open returns the validators of the releases in the record, and the record.
func (o objectRecord) open(t *testing.T) ([]Validator, *record) {
	t.Helper()
	validators := slices.DeleteFunc(slices.Clone(Validators), func(v Validator) bool { return !o.includes(v) })
	r := openRecord(t, o.name, validators)
	r.canonical = o.canonical
	return validators, r
}

// TestConversionsAndProjectionsMatchUpstream compares conversions with their defaults, and those of package
// unstructured, with the recorded conversions of each release.
func TestConversionsAndProjectionsMatchUpstream(t *testing.T) {
	for _, o := range objectRecords {
		validators, r := o.open(t)
		for _, v := range validators {
			t.Run(o.name+" of Kubernetes "+v.Name, func(t *testing.T) { o.compare(t, r.upstreamOf(v), 0, o.count) })
		}
	}
}

// compareConversions checks that claimbridge and a release convert objects, with the fields of the release, to the same
// objects in each version that the release serves.
func compareConversions(t *testing.T, u *upstream, first uint64, count int) {
	t.Helper()
	for i := range count {
		seed := first + uint64(i)
		from, kind := u.Versions[i%len(u.Versions)], objects.Kinds[i/len(u.Versions)%2]
		object := objects.New(seed).ForRelease(u.Name).Object(from, kind)
		sent := objectjson.Marshal(object)
		v, _ := api.Find(from)
		v.SetDefaults(object)
		if claim, ok := object.(*v1.ResourceClaim); ok {
			claim.Status.ClaimbridgeDeallocationRequested = false // no release has it
		}
		known := must.Get(json.Marshal(object))(t) // as upstream writes it
		u.checkConversion(t, seed, sent, from, known)
		for _, to := range u.Versions {
			if to == from {
				continue
			}
			actual, report, err := conversion.ConvertJSON(known, to, conversion.Options{Strict: true, Manifest: true})
			if err != nil {
				t.Fatalf("CLAIMBRIDGE_SEED=%d to %s: %v\n%s", seed, to, err, clip(known))
			}
			if extra := slices.Concat(report.Preserved, report.Lost); len(extra) > 0 || report.Incomplete != "" {
				t.Errorf("CLAIMBRIDGE_SEED=%d to %s: unconvertible fields %q", seed, to, extra)
			}
			u.checkConversion(t, seed, known, to, actual)
		}
	}
}

// checkConversion checks that upstream converts an object to the same object in a version as claimbridge.
func (u *upstream) checkConversion(t *testing.T, seed uint64, object []byte, to string, actual []byte) {
	t.Helper()
	if expected := u.mustConvert(t, seed, object, to); expected.Object == nil {
		if got := digest(canonicalObject(t, actual)); got != expected.digest {
			t.Fatalf("CLAIMBRIDGE_SEED=%d: Kubernetes %s converts it to another object in %s; to print it, run make "+
				"oracle RELEASES=%s with the seed\nclaimbridge: %s\ninput: %s",
				seed, u.Name, to, u.Name, clip(actual), clip(object))
		}
	} else if got, want := decoded(t, actual), decoded(t, expected.Object); !equality.Semantic.DeepEqual(got, want) {
		t.Fatalf("CLAIMBRIDGE_SEED=%d: Kubernetes %s to %s (-upstream +claimbridge):\n%s\n%s", seed, u.Name, to,
			cmp.Diff(want, got), clip(object))
	}
}

// mustConvert converts an object upstream. It fails the test if there is no answer, or an error.
func (u *upstream) mustConvert(t *testing.T, seed uint64, object []byte, to string) answer {
	t.Helper()
	before := u.unanswered
	expected := u.convert(t, object, to, true)
	if u.unanswered > before {
		t.Fatalf("CLAIMBRIDGE_SEED=%d to %s: %s", seed, to, missingRecord)
	} else if expected.Undecodable+expected.Panic != "" {
		t.Fatalf("CLAIMBRIDGE_SEED=%d: Kubernetes %s: %s\n%s", seed, u.Name, expected.Undecodable+expected.Panic,
			clip(object))
	}
	return expected
}

// decoded returns an object of any version, decoded.
func decoded(t *testing.T, object []byte) runtime.Object {
	t.Helper()
	h := must.Get(conversion.ReadHeader(object))(t)
	into := api.New(h.Version, h.Kind)
	if unknown, err := objectjson.Decode(object, into); err != nil || len(unknown) > 0 {
		t.Fatalf("%v, unknown %v\n%s", err, unknown, clip(object))
	}
	return into
}

// canonicalObject returns the decoded object in JSON, which is equal for all texts that decode to the same object.
func canonicalObject(t *testing.T, object []byte) []byte {
	t.Helper()
	return must.Get(json.Marshal(decoded(t, object)))(t)
}
