package jsonconvert_test

import (
	"testing"

	"github.com/claimbridge/claimbridge/bridge/jsonconvert"
)

func TestConvertPath(t *testing.T) {
	const claim, template, slice, class = "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice", "DeviceClass"
	for _, test := range []struct{ kind, v1beta1, v1 string }{
		{claim, "spec.devices.requests[0].count", "spec.devices.requests[0].exactly.count"},
		{claim, "spec.devices.requests[12].selectors[1].cel", "spec.devices.requests[12].exactly.selectors[1].cel"},
		{claim, "spec.devices.requests[0].name", "spec.devices.requests[0].name"},
		{claim, "spec.devices.requests[0].firstAvailable[1].count", "spec.devices.requests[0].firstAvailable[1].count"},
		{claim, "spec.devices.requests[0]", "spec.devices.requests[0]"},
		{claim, "spec.devices.constraints[0].requests[0]", "spec.devices.constraints[0].requests[0]"},
		{claim, "metadata.name", "metadata.name"},
		{template, "spec.spec.devices.requests[0].count", "spec.spec.devices.requests[0].exactly.count"},
		{slice, "spec.devices[3].basic.attributes[a]", "spec.devices[3].attributes[a]"},
		{slice, "spec.devices[3].name", "spec.devices[3].name"},
		{slice, "spec.nodeName", "spec.nodeName"},
		{class, "spec.selectors[0].cel", "spec.selectors[0].cel"},
	} {
		if got := jsonconvert.ConvertPath(test.v1beta1, test.kind, "v1beta1", "v1"); got != test.v1 {
			t.Errorf("%s of %s in v1: got %s, want %s", test.v1beta1, test.kind, got, test.v1)
		}
		if got := jsonconvert.ConvertPath(test.v1, test.kind, "v1", "v1beta1"); got != test.v1beta1 {
			t.Errorf("%s of %s in v1beta1: got %s, want %s", test.v1, test.kind, got, test.v1beta1)
		}
		if got := jsonconvert.ConvertPath(test.v1, test.kind, "v1", "v1beta2"); got != test.v1 {
			t.Errorf("%s of %s in v1beta2: got %s, want %s", test.v1, test.kind, got, test.v1)
		}
	}
}
