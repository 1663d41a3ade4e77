package test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/test/objects"
)

// TestConversionIsUpstreams holds conversion against that of each release which serves several versions. An object is first
// given to the release in its own version, which drops the fields that it does not have.
func TestConversionIsUpstreams(t *testing.T) {
	seed := objects.Seed(t)
	for _, j := range chosen {
		if j.name < "1.32" {
			continue
		}
		t.Run(j.name, func(t *testing.T) {
			u := j.start(t)
			source := objects.New(seed)
			for i := range comparisons(t) / 10 {
				from, kind := j.versions[i%len(j.versions)], objects.Kinds[i/len(j.versions)%2]
				known := u.converted(t, kjson.Marshal(source.Object(from, kind)), from)
				for _, to := range j.versions {
					if to != from {
						u.convertsLikeUs(t, known, to)
					}
				}
			}
		})
	}
}

func (u *upstream) converted(t *testing.T, object []byte, to string) []byte {
	t.Helper()
	a := u.convert(t, object, to, true)
	if a.Undecodable+a.Panic != "" {
		t.Fatalf("Kubernetes %s: %s\n%s", u.name, a.Undecodable+a.Panic, clip(object))
	}
	return a.Object
}

func (u *upstream) convertsLikeUs(t *testing.T, object []byte, to string) {
	t.Helper()
	ours, report, err := conversion.JSON(object, to, conversion.Options{Strict: true, AnnotationsOnly: true})
	if err != nil {
		t.Fatalf("to %s: %v\n%s", to, err, clip(object))
	}
	if carried := slices.Concat(report.Carried, report.Lost); len(carried) > 0 || report.Incomplete != "" {
		t.Errorf("to %s: left over %q", to, carried)
	}
	got, want := decoded(t, ours), decoded(t, u.converted(t, object, to))
	if !equality.Semantic.DeepEqual(got, want) {
		t.Fatalf("Kubernetes %s to %s (-theirs +ours):\n%s\n%s", u.name, to, cmp.Diff(want, got), clip(object))
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
