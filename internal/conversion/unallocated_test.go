package conversion

import (
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/conversion/preserve"
)

// deallocate deallocates a claim like a scheduler that does not know the device status. The device status stays,
// because the API server of a custom resource does not remove them.
func deallocate(object runtime.Object) {
	if o, ok := object.(*v1alpha3.ResourceClaim); ok {
		o.Status = v1alpha3.ResourceClaimStatus{Devices: o.Status.Devices}
	} else if status := part[v1.ResourceClaimStatus](object, "Status"); status != nil {
		*status = v1.ResourceClaimStatus{Devices: status.Devices}
	}
}

// A claim without an allocation can have a device status: before it is allocated, or after a scheduler removed only
// the allocation. A write of the main resource through an older version stores the status as converted from that
// version, so hidden reports must be preserved.
const reported = `{"apiVersion":"claims.example.com/v1","kind":"ResourceClaim","metadata":{"name":"a","uid":"u"},` +
	`"spec":{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"c","allocationMode":"ExactCount",` +
	`"count":1}}]}},"status":{"devices":[` +
	`{"driver":"d","pool":"p","device":"a","data":{"pad":""}},` +
	others + `]}}`

// others are devices that differ in one property from the allocated one.
const others = `{"driver":"d","pool":"p","device":"a","shareID":"15d0a0ba-1111-4111-8111-111111111111"},` +
	`{"driver":"d","pool":"p","device":"b"},` +
	`{"driver":"d","pool":"q","device":"a"},{"driver":"e","pool":"p","device":"a"}`

// Data that a version does not represent stays in any write, except for the status of devices that the write
// deallocates.
func TestReportsOutliveTheResult(t *testing.T) {
	const allocation = `"allocation":{"devices":{"results":[{"request":"gpu","driver":"d","pool":"p","device":"a"},` +
		`{"request":"gpu","driver":"d","pool":"p","device":"a","shareID":"25d0a0ba-1111-4111-8111-111111111111"}]}},`
	old, _ := converted(t, []byte(reported), "v1alpha2", Options{})
	write := func(old []byte, status string) string {
		at := strings.Index(string(old), `"status":{`)
		written, _ := converted(t, []byte(string(old)[:at]+`"status":`+status+`}`), Stored(), Options{})
		return string(written)
	}
	if got := write(old, `{"driverName":"d","allocation":{"shareable":true}}`); !strings.Contains(got, `"pad"`) ||
		!strings.Contains(got, `"allocation"`) {
		t.Errorf("after an allocation: %s", got)
	}
	if got := write(old, `{"driverName":"d"}`); got != reported {
		t.Errorf("with the name of a driver it came back as %s", got)
	}
	old, _ = converted(t, []byte(strings.Replace(reported, `"status":{`, `"status":{`+allocation, 1)), "v1alpha2",
		Options{})
	if got := write(old, `{}`); strings.Contains(got, `"pad"`) || !strings.Contains(got, others) {
		t.Errorf("after a deallocation: %s", got)
	}
}

func TestReportsThatDoNotFitAreNotLost(t *testing.T) {
	large := strings.Replace(reported, `"pad":""`, `"pad":"`+strings.Repeat("x", 300_000)+`"`, 1)
	old, report := converted(t, []byte(large), "v1alpha1", Options{})
	if back, _ := converted(t, old, Stored(), Options{}); string(back) != large {
		t.Errorf("came back as %.500s", back)
	}
	at := strings.Index(string(old), `"claimbridgeLeftover":`)
	old = []byte(string(old)[:at-len(`"status":{`)] + `"status":{}}`) // as a typed client writes it
	if report.Incomplete != "devices" || !strings.Contains(string(old), `"`+preserve.IncompleteLabel+`":"devices"`) {
		t.Fatalf("lacks %q", report.Incomplete)
	}
	for name, test := range map[string]struct {
		object     string
		isRejected bool
	}{
		"as it was read": {string(old), true},
		"allocated": {
			strings.Replace(string(old), `"status":{}`, `"status":{"driverName":"d","allocation":{"shareable":true}}`,
				1),
			false,
		},
		"being deleted": {
			strings.Replace(string(old), `"uid":"u"`, `"uid":"u","deletionTimestamp":"2026-01-01T00:00:00Z"`, 1),
			false,
		},
		"without status":  {strings.Replace(string(old), `,"status":{}`, ``, 1), false},
		"of a later name": {strings.Replace(string(old), `":"devices"`, `":"else"`, 1), true},
	} {
		_, _, err := ConvertJSON([]byte(test.object), Stored(), Options{})
		if errors.Is(err, ErrIncomplete) != test.isRejected {
			t.Errorf("%s: %v", name, err)
		}
	}
	spec := strings.Replace(large, `"name":"gpu","exactly":{`,
		`"name":"gpu","exactly":{"selectors":[{"cel":{"expression":"`+strings.Repeat("y", 300_000)+`"}}],`, 1)
	if _, report = converted(t, []byte(spec), "v1alpha2", Options{}); report.Incomplete != "spec-and-devices" {
		t.Errorf("lacks %q", report.Incomplete)
	}
}
