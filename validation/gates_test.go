package validation

import (
	"reflect"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/test/objects"
)

// TestGatedFieldsExist: a field that is misspelled, or that no version has, would never be dropped.
func TestGatedFieldsExist(t *testing.T) {
	all := map[string]bool{}
	for _, version := range api.Names() {
		for path := range objects.EachLeaf(reflect.TypeOf(api.New(version, api.KindClaim)).Elem()) {
			for path = strings.ReplaceAll(path, ".exactly.",
				"."); path != ""; path = path[:max(0, strings.LastIndex(path, "."))] {
				all[path] = true
			}
		}
	}
	for _, f := range fieldRows {
		if !all[f.Path] || f.Gate != "" && f.index == nil {
			t.Errorf("%s does not exist", f.Path)
		}
		if f.offSince != 0 && (f.Gate == "" || f.offSince < f.since ||
			f.onSince != 0 && f.onSince <= f.offSince) {
			t.Errorf("%s: gate %q, since %s, off since %s, on since %s: inconsistent", f.Path, f.Gate, f.Since,
				f.OffSince, f.OnSince)
		}
		for _, name := range []string{f.Since, f.RemovedIn, f.OffSince, f.OnSince} {
			if _, known := api.FindRelease(name); !known && name != "" {
				t.Errorf("%s: unknown release %s", f.Path, name)
			}
		}
	}
}

// TestDropFieldsCopies: fields are dropped from a copy, and nothing else changes.
func TestDropFieldsCopies(t *testing.T) {
	seconds := int64(1)
	spec := v1.ResourceClaimSpec{Devices: v1.DeviceClaim{Requests: []v1.DeviceRequest{
		{
			Name: "a",
			Exactly: &v1.ExactDeviceRequest{
				Count:       1,
				Tolerations: []v1.DeviceToleration{{TolerationSeconds: &seconds}},
			},
		},
		{Name: "b", FirstAvailable: []v1.DeviceSubRequest{{Name: "c", Tolerations: []v1.DeviceToleration{{}}}}},
	}}}
	before := spec.DeepCopy()
	c := claim{spec: &spec}
	if used := c.usedFields(); used != gatedBy("DRADeviceTaints")|rowsByPath["spec.devices.requests.firstAvailable"].bit {
		t.Fatalf("the claim uses the fields %b", used)
	}
	c.dropFields(gatedBy("DRADeviceTaints"))
	if !reflect.DeepEqual(&spec, before) {
		t.Error("the object of the caller has changed")
	}
	before.Devices.Requests[0].Exactly.Tolerations, before.Devices.Requests[1].FirstAvailable[0].Tolerations = nil, nil
	if !reflect.DeepEqual(c.spec, before) {
		t.Errorf("the spec without the fields: %v", c.spec)
	}
}

// TestLaterFieldsHaveARelease: a field of the stored version that v1alpha3 does not have came with a later release, and
// is in the table of fields, or in a field of the table.
func TestLaterFieldsHaveARelease(t *testing.T) {
	before := map[string]bool{}
	for path := range objects.EachLeaf(reflect.TypeOf(api.New("v1alpha3", api.KindClaim)).Elem()) {
		before[path] = true
	}
	later := 0
	for path := range objects.EachLeaf(reflect.TypeOf(api.New(api.Stored().Name, api.KindClaim)).Elem()) {
		path = strings.ReplaceAll(path, ".exactly.", ".")
		if before[path] || path == "status.claimbridgeDeallocationRequested" { // which is claimbridge's
			continue
		}
		later++
		if !isReleased(path) {
			t.Errorf("%s was added after 1.33, but the table of fields has no release for it", path)
		}
	}
	if later < 10 {
		t.Errorf("there are %d later fields", later)
	}
}

func isReleased(path string) bool {
	for ; path != ""; path = path[:max(0, strings.LastIndex(path, "."))] {
		if f, is := rowsByPath[path]; is && f.since >= release1_34 {
			return true
		}
	}
	return false
}
