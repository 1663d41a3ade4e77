package v1alpha3

import (
	"fmt"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/names"
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

// Nothing of one allocation is read in the next one.
func TestNoAllocationReadsTheDataOfAnother(t *testing.T) {
	one := v1alpha3.AllocationResult{}
	one.Devices.Results = []v1alpha3.DeviceRequestAllocationResult{{Request: "claim", Driver: "d", Pool: names.Domain, Device: "handle-0"}, {Request: "claim", Driver: "d", Pool: "n", Device: "x"}}
	two := one
	one.Devices.Config = []v1alpha3.DeviceAllocationConfiguration{
		entryFrom("FromClass", names.Domain, `{"apiVersion":"claimbridge.dev/v1","data":"secret","device":"handle-0","driver":"d","kind":"ResourceHandle"}`),
		entryFrom("FromClass", "d", `{"secret":1}`),
	}
	if got := fmt.Sprint(handlesSay(nativeAllocationDown(&one, nil, true).Allocation.ResourceHandles)); strings.Count(got, "secret") != 2 {
		t.Fatalf("handles %s", got)
	}
	if got := fmt.Sprint(handlesSay(nativeAllocationDown(&two, nil, true).Allocation.ResourceHandles)); strings.Contains(got, "secret") {
		t.Errorf("handles %s", got)
	}
}

// Each parameter is compared with those that are kept, so there are never more than a list may have.
func TestParametersAreComparedWithFew(t *testing.T) {
	b := allocationBuilder{request: "claim", driver: "d"}
	for n := range 1000 {
		h := v1alpha2.ResourceHandle{StructuredData: &v1alpha2.StructuredResourceHandle{}}
		h.StructuredData.VendorClaimParameters.Raw = fmt.Appendf(nil, `{"n":%d}`, n)
		b.handle(n, &h)
	}
	if got := b.build(); len(b.seen) != v1alpha3.AllocationConfigMaxSize || len(got.Config) != v1alpha3.AllocationConfigMaxSize-1 {
		t.Errorf("%d entries of %d that are remembered", len(got.Config), len(b.seen))
	}
}

// What a step is given is not changed.
func TestStepsChangeNothingThatTheyAreGiven(t *testing.T) {
	said := func(spec, status any) string { return string(kjson.Marshal(spec)) + string(kjson.Marshal(status)) }
	old := chain.Claim{Form: chain.Form{Complete: true},
		Spec:   &v1alpha2.ResourceClaimSpec{ResourceClassName: "c", AllocationMode: v1alpha2.AllocationModeImmediate},
		Status: &v1alpha2.ResourceClaimStatus{DriverName: "d", Allocation: &v1alpha2.AllocationResult{}},
	}
	before := said(old.Spec, old.Status)
	stored := Step.Up(old)
	if said(old.Spec, old.Status) != before {
		t.Error("up changed what it was given")
	}
	before = said(stored.Spec, stored.Status)
	if strings.Count(before, EntryAPIVersion) != 2 {
		t.Errorf("what only the old side says is not stored: %s", before)
	}
	taken := Step.Down(stored)
	if said(taken.Spec, taken.Status) != said(old.Spec, old.Status) {
		t.Errorf("what was stored is not taken: %s", said(taken.Spec, taken.Status))
	}
	if said(stored.Spec, stored.Status) != before {
		t.Error("down changed what it was given")
	}
}

func TestDevicesAndObjectsAreToldApart(t *testing.T) {
	for device, want := range map[string]bool{
		"handle-0": true, "handle-31": true, "handle-65535": true, "handle-65536": false, "handle-": false, "handle-a": false, "handle--1": false,
		"handle-0-1": false, "other--0": false, "": false, "none": false,
	} {
		if got := IsHandleDevice(device); got != want {
			t.Errorf("device %q: %v", device, got)
		}
	}
	for value, want := range map[string]bool{`{}`: true, " \t\r\n" + "{}": true, `[]`: false, `"{"`: false, ``: false, `null`: false} {
		if got := isObject([]byte(value)); got != want {
			t.Errorf("value %q: %v", value, got)
		}
	}
}
