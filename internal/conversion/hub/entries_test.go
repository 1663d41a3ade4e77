package hub

import (
	"fmt"
	"testing"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

func TestEntryKind(t *testing.T) {
	for parameters, want := range map[string]string{
		`{"apiVersion":"claimbridge.dev/v1","kind":"X"}`:                     "X",
		`{"kind":"X","more":{"kind":"Y"},"apiVersion":"claimbridge.dev/v1"}`: "X",
		`{"apiVersion":"claimbridge.dev/v1","\u006bind":"X"}`:                "X",
		`{"apiVersion":"\u0063laimbridge.dev/v1","kind":"X"}`:                "X",
		`{"apiVersion":"claimbridge.dev/v2","kind":"X"}`:                     "",
		`{"apiVersion":"claimbridge.dev/v1","kind":"X","kind":"Y"}`:          "",
		`{"apiVersion":"claimbridge.dev/v1","kind":"` + "\xff" + `"}`:        "",
		`{"apiVersion":"claimbridge.dev/v1","kind":"X"`:                      "",
		`{"apiVersion":"claimbridge.dev/v1","kind":1}`:                       "",
	} {
		o := &v1alpha3.OpaqueDeviceConfiguration{}
		o.Parameters.Raw = []byte(parameters)
		if got := EntryKind(o); got != want {
			t.Errorf("%q is of kind %q", parameters, got)
		}
	}
}

// Each parameter is compared with the kept ones, so their number is limited.
func TestParametersAreComparedWithFew(t *testing.T) {
	b := allocationBuilder{request: "claim", driver: "d"}
	for n := range 1000 {
		h := v1alpha2.ResourceHandle{StructuredData: &v1alpha2.StructuredResourceHandle{}}
		h.StructuredData.VendorClaimParameters.Raw = fmt.Appendf(nil, `{"n":%d}`, n)
		b.addHandle(n, &h)
	}
	got := b.build()
	const limit = v1alpha3.AllocationConfigMaxSize
	if len(b.seenConfigs) != limit || len(got.Config) != limit-1 {
		t.Errorf("%d entries of %d that are remembered", len(got.Config), len(b.seenConfigs))
	}
}

func TestHandleDevices(t *testing.T) {
	for device, want := range map[string]bool{
		"handle-0":     true,
		"handle-31":    true,
		"handle-65535": true,
		"handle-65536": false,
		"handle-":      false,
		"handle-a":     false,
		"handle--1":    false,
		"handle-0-1":   false, "other--0": false, "": false, "none": false,
	} {
		if got := isHandleDevice(device); got != want {
			t.Errorf("device %q: %v", device, got)
		}
	}
}
