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

// made is what each release made of objects from the seeds 0, 1 and so on, up to a count.
type made struct {
	what       string
	validators func(Validator) bool
	form       func(t *testing.T, object []byte) []byte
	agree      func(t *testing.T, u *upstream, first uint64, count int)
	count      int
}

var recordsOfObjects = []made{
	{"conversions", func(v Validator) bool { return len(v.Versions) > 1 }, asDecoded, convertsLikeUs, 150},
	{"views", func(v Validator) bool { return slices.Contains(v.Versions, "v1") }, asWritten, showsLikeUs, 80},
}

// all validators that made some, and the record.
func (m made) all(t *testing.T) ([]Validator, *record) {
	t.Helper()
	validators := slices.DeleteFunc(slices.Clone(Validators), func(v Validator) bool { return !m.validators(v) })
	r := open(t, m.what, validators)
	r.form = m.form
	return validators, r
}

// TestConversionsAndProjectionsMatchUpstream compares conversion and its defaults, and package unstructured, with what
// each release made of the same objects.
func TestConversionsAndProjectionsMatchUpstream(t *testing.T) {
	for _, m := range recordsOfObjects {
		validators, r := m.all(t)
		for _, v := range validators {
			t.Run(m.what+" of Kubernetes "+v.Name, func(t *testing.T) { m.agree(t, r.upstreamOf(v), 0, m.count) })
		}
	}
}

// convertsLikeUs wants each object of a release's fields to become the same in each version that it
// serves, here and there.
func convertsLikeUs(t *testing.T, u *upstream, first uint64, count int) {
	t.Helper()
	for i := range count {
		seed := first + uint64(i)
		from, kind := u.Versions[i%len(u.Versions)], objects.Kinds[i/len(u.Versions)%2]
		object := objects.New(seed).Of(u.Name).Object(from, kind)
		sent := objectjson.Marshal(object)
		v, _ := api.Find(from)
		v.SetDefaults(object)
		if claim, ok := object.(*v1.ResourceClaim); ok {
			claim.Status.ClaimbridgeDeallocationRequested = false // which no release has
		}
		known := must.Get(json.Marshal(object))(t) // as upstream writes it
		u.makes(t, seed, sent, from, known)
		for _, to := range u.Versions {
			if to == from {
				continue
			}
			ours, report, err := conversion.JSON(known, to, conversion.Options{Strict: true, Manifest: true})
			if err != nil {
				t.Fatalf("CLAIMBRIDGE_SEED=%d to %s: %v\n%s", seed, to, err, clip(known))
			}
			if carried := slices.Concat(report.Preserved, report.Lost); len(carried) > 0 || report.Incomplete != "" {
				t.Errorf("CLAIMBRIDGE_SEED=%d to %s: left over %q", seed, to, carried)
			}
			u.makes(t, seed, known, to, ours)
		}
	}
}

// makes wants upstream to make of an object, in a version, what we make of it.
func (u *upstream) makes(t *testing.T, seed uint64, object []byte, to string, ours []byte) {
	t.Helper()
	if theirs := u.converts(t, seed, object, to); theirs.Object == nil {
		if got := digest(asDecoded(t, ours)); got != theirs.digest {
			t.Fatalf("CLAIMBRIDGE_SEED=%d: Kubernetes %s made another object of it in %s; with the seed, make oracle "+
				"RELEASES=%s shows which\nours: %s\nof: %s",
				seed, u.Name, to, u.Name, clip(ours), clip(object))
		}
	} else if got, want := decoded(t, ours), decoded(t, theirs.Object); !equality.Semantic.DeepEqual(got, want) {
		t.Fatalf("CLAIMBRIDGE_SEED=%d: Kubernetes %s to %s (-theirs +ours):\n%s\n%s", seed, u.Name, to,
			cmp.Diff(want, got), clip(object))
	}
}

// converts an object upstream, which has to have an answer.
func (u *upstream) converts(t *testing.T, seed uint64, object []byte, to string) answer {
	t.Helper()
	before := u.unanswered
	theirs := u.convert(t, object, to, true)
	if u.unanswered > before {
		t.Fatalf("CLAIMBRIDGE_SEED=%d to %s: %s", seed, to, missingRecord)
	} else if theirs.Undecodable+theirs.Panic != "" {
		t.Fatalf("CLAIMBRIDGE_SEED=%d: Kubernetes %s: %s\n%s", seed, u.Name, theirs.Undecodable+theirs.Panic,
			clip(object))
	}
	return theirs
}

// decoded reads an object of any version.
func decoded(t *testing.T, object []byte) runtime.Object {
	t.Helper()
	h := must.Get(conversion.ReadHeader(object))(t)
	into := api.New(h.Version, h.Kind)
	if unknown, err := objectjson.Decode(object, into); err != nil || len(unknown) > 0 {
		t.Fatalf("%v, unknown %v\n%s", err, unknown, clip(object))
	}
	return into
}

// asDecoded is an object in the one text of all texts that are read alike.
func asDecoded(t *testing.T, object []byte) []byte {
	t.Helper()
	return must.Get(json.Marshal(decoded(t, object)))(t)
}
