package conversion

import (
	"bytes"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	"github.com/claimbridge/claimbridge/test/objects"
)

// An object may be stored in an older version together with a leftover of the newest one, as a file has it. What the
// annotation says then counts also when the object is written through a still older version, and what a client puts there
// does not.
func TestAnnotationsThatWereStoredCountAndOthersDoNot(t *testing.T) {
	source := objects.New(seed(t))
	tried := 0
	for range max(count(t)/10, 50) {
		made := encode(normal(source.Object("v1alpha3", api.KindClaim)))
		stored, report, err := JSON(made, "v1alpha2", Options{AnnotationsOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		o := typed(t, stored).(*v1alpha2.ResourceClaim)
		if o.Status.Allocation == nil || report.Incomplete != "" || len(o.Annotations) == 0 {
			continue
		}
		tried++
		c := &lawCase{T: t, Source: source, kind: api.KindClaim, from: "v1alpha3", to: "v1alpha1"}
		direct := c.convert(stored, "v1alpha3")
		read := c.convert(stored, "v1alpha1")
		c.equal("through v1alpha1", c.convert(read, "v1alpha3"), direct)

		c.there = read
		old := typed(t, read).(*v1alpha1.ResourceClaim)
		for key := range old.Annotations {
			if leftover.IsKey(key) {
				delete(old.Annotations, key)
			}
		}
		written := c.convert(encode(old), "v1alpha3")
		if was, is := statusOf(c, direct), statusOf(c, written); !bytes.Equal(was, is) {
			t.Fatalf("stripped annotations changed the status:\n was %s\n now %s", clip(was), clip(is))
		}
	}
	if tried == 0 {
		t.Error("no object had anything to try")
	}
}

// Deallocating is what an old client does every day: it cannot touch the annotation, and may keep the field or drop it.
func TestNothingIsIgnoredWhenAnOldClientDeallocates(t *testing.T) {
	stored := []byte(`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"a","uid":"u"},` +
		`"spec":{"devices":{"requests":[{"name":"gpus","deviceClassName":"gpu","allocationMode":"All"}]}},"status":{"allocation":{"devices":{` +
		`"results":[{"request":"gpus","driver":"gpu.example.com","pool":"node-1","device":"gpu-0"}]}}}}`)
	for _, version := range []string{"v1alpha1", "v1alpha2"} {
		copied, _, err := JSON(stored, version, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(copied), "not-in") {
			t.Fatalf("nothing is left over in %s", copied)
		}
		kept, dropped := typed(t, copied), typed(t, copied)
		for _, o := range []any{kept, dropped} {
			switch o := o.(type) {
			case *v1alpha1.ResourceClaim:
				o.Status.Allocation = nil
			case *v1alpha2.ResourceClaim:
				o.Status.Allocation = nil
			}
		}
		withoutField(dropped)
		for _, written := range [][]byte{encode(kept), encode(dropped)} {
			out, report, err := JSON(written, "v1alpha3", Options{})
			if err != nil || len(report.Ignored)+len(report.Stale) > 0 {
				t.Errorf("%s: %v, ignored %q", version, err, report.Ignored)
			}
			if o := typed(t, out); bytes.Contains(encode(o), []byte("allocation\":{")) {
				t.Errorf("%s: the allocation is still there: %s", version, out)
			}
			findings, err := Inspect(written)
			if err != nil || len(findings) > 0 {
				t.Errorf("%s: %v, findings %v", version, err, findings)
			}
		}
	}
}
