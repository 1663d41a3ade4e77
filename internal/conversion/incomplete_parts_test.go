package conversion

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/conversion/preserve"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// withEntries returns a claim whose allocation has entries of that many bytes without a vendor field. kept is the rest
// of the spec.
func withEntries(bytes int, kept *v1alpha3.ResourceClaim) *v1alpha3.ResourceClaim {
	c := kept.DeepCopy()
	entry := entryFrom("FromClass", "gpu.example.com", `{"pad":"`+strings.Repeat("y", bytes)+`"}`)
	c.Status.Allocation = &v1alpha3.AllocationResult{Devices: v1alpha3.DeviceAllocationResult{
		Results: []v1alpha3.DeviceRequestAllocationResult{
			{Request: "gpu", Driver: "gpu.example.com", Pool: "a/b", Device: "gpu-0"},
		},
		Config: []v1alpha3.DeviceAllocationConfiguration{entry, entry, entry},
	}}
	return c
}

// Data that fits is preserved, the spec first. An incomplete copy names the missing parts.
func TestIncompleteCopiesPreserveWhatFits(t *testing.T) {
	huge := big(1000)
	huge.Labels = map[string]string{"k": strings.Repeat("y", preserve.MaxStored)}
	for name, test := range map[string]struct {
		stored             *v1alpha3.ResourceClaim
		label, annotations string
	}{
		"all fits":                      {withEntries(1000, big(1000)), "", "spec status"},
		"the spec part alone":           {withEntries(300_000, big(1000)), "status", "spec"},
		"the status part alone":         {withEntries(1000, big(300_000)), "spec", "status"},
		"either, and not both together": {withEntries(150_000, big(150_000)), "status", "spec"},
		"neither":                       {withEntries(300_000, big(300_000)), "both", ""},
		"no spec part, without status":  {big(300_000), "spec", ""},
		"more than is ever stored":      {withEntries(1000, huge), "both", ""},
		"more than that, but no status": {huge, "spec", ""},
	} {
		out, report := must.Get2(ConvertJSON(encode(test.stored), "v1alpha2", Options{Manifest: true}))(t)
		meta := metaOf(decodeTyped(t, out))
		var has []string
		for _, part := range []struct{ key, name string }{
			{preserve.SpecAnnotation, "spec"}, {preserve.StatusAnnotation, "status"},
		} {
			if _, ok := meta.Annotations[part.key]; ok {
				has = append(has, part.name)
			}
		}
		got := strings.Join(has, " ")
		if report.Incomplete != test.label || meta.Labels[preserve.IncompleteLabel] != test.label ||
			got != test.annotations {
			t.Errorf("%s: has %q and says that it lacks %q (%q)", name, got, report.Incomplete,
				meta.Labels[preserve.IncompleteLabel])
		}
		// A copy of an incomplete copy has the same preserved data and lacks the same parts, and its field is not used
		// as if it was complete.
		older, _ := must.Get2(ConvertJSON(out, "v1alpha1", Options{}))(t)
		if diff := cmp.Diff(meta.Labels, metaOf(decodeTyped(t, older)).Labels); diff != "" {
			t.Errorf("%s: labels of a copy of the copy (-want +got):\n%s", name, diff)
		}
		for key, value := range meta.Annotations {
			if diff := cmp.Diff(value, metaOf(decodeTyped(t, older)).Annotations[key]); diff != "" {
				t.Errorf("%s: annotation %s of a copy of the copy (-want +got):\n%s", name, key, diff)
			}
		}
		// A further conversion does not restore missing parts. The number of bytes is that of the missing parts.
		oldest, _ := converted(t, encode(test.stored), "v1alpha1", Options{Manifest: true})
		size := meta.Labels[preserve.IncompleteBytesLabel]
		sizeInOldest := metaOf(decodeTyped(t, oldest)).Labels[preserve.IncompleteBytesLabel]
		if lacks, _ := strconv.Atoi(size); size != sizeInOldest || test.label != "" && lacks < 150_000 {
			t.Errorf("%s: %q bytes are missing, and %q in v1alpha1", name, size, sizeInOldest)
		}
		if test.label == "status" || test.label == "both" {
			if *preservedField(decodeTyped(t, older)) != "" {
				t.Errorf("%s: a copy of an incomplete copy has the field", name)
			}
		}
		if _, _, err := ConvertJSON(older, Stored(), Options{}); errors.Is(err, ErrIncomplete) != (test.label != "") {
			t.Errorf("%s: written back: %v", name, err)
		}
	}
}

// An incomplete copy in v1alpha3 can have a spec that v1alpha2 cannot represent. A conversion to v1alpha2 preserves it,
// the label stays, and a deallocated copy gets it again.
func TestOlderCopiesOfIncompleteCopiesPreserveTheirSpec(t *testing.T) {
	incomplete := withEntries(1000, big(1000))
	incomplete.Labels = map[string]string{preserve.IncompleteLabel: "status", preserve.IncompleteBytesLabel: "300000"}
	first := incomplete.Spec.Devices.Requests[0]
	second := *first.DeepCopy()
	second.Name = "second"
	incomplete.Spec.Devices.Requests = append(incomplete.Spec.Devices.Requests, second)
	text := encode(incomplete)
	for _, version := range []string{"v1alpha2", "v1alpha1"} {
		var report Report
		text, report = must.Get2(ConvertJSON(text, version, Options{}))(t)
		if report.Incomplete != "status" {
			t.Fatalf("%s lacks %q, want the status", version, report.Incomplete)
		}
		if _, _, err := ConvertJSON(text, Stored(), Options{}); !errors.Is(err, ErrIncomplete) {
			t.Errorf("%s: %v, want ErrIncomplete", version, err)
		}
		claim := decodeTyped(t, text)
		switch c := claim.(type) {
		case *v1alpha2.ResourceClaim:
			c.Status.Allocation = nil
		case *v1alpha1.ResourceClaim:
			c.Status.Allocation = nil
		}
		restored, _ := must.Get2(ConvertJSON(encode(claim), Stored(), Options{}))(t)
		if n := len(decodeTyped(t, restored).(*v1.ResourceClaim).Spec.Devices.Requests); n != 2 {
			t.Errorf("%s: the deallocated claim has %d requests, want 2", version, n)
		}
	}
}

// A label that a client sets on the stored object does not affect copies, and a fragment of the status needs no spec.
func TestForeignLabelsAreIgnored(t *testing.T) {
	converted, _ := must.Get2(ConvertJSON(encode(big(1000)), Stored(), Options{}))(t)
	stored := decodeTyped(t, converted).(*v1.ResourceClaim)
	stored.Labels = map[string]string{preserve.IncompleteLabel: "both", preserve.IncompleteBytesLabel: "1"}
	down, report, err := ConvertJSON(encode(stored), "v1alpha1", Options{})
	if err != nil || report.Incomplete != "" {
		t.Fatalf("incomplete %q, %v", report.Incomplete, err)
	}
	if diff := cmp.Diff(map[string]string(nil), metaOf(decodeTyped(t, down)).Labels); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	fragment := `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"labels":{"` +
		preserve.IncompleteLabel + `":"spec"}},"status":{"driverName":"d"}}`
	if _, _, err := ConvertJSON([]byte(fragment), Stored(), Options{}); err != nil {
		t.Error(err)
	}
}
