package conversion

import (
	"bytes"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
)

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
		if !strings.Contains(string(copied), leftover.KeyStatus) {
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
