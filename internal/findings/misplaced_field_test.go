package findings

import (
	"testing"

	"github.com/claimbridge/claimbridge/internal/conversion"
)

func TestMisplacedFieldsAreReportedWithTheirPath(t *testing.T) {
	claim, template := "ResourceClaim", "ResourceClaimTemplate"
	const none = ""
	tests := []struct{ version, kind, path, want string }{
		{"v1", claim, "spec.spec", "spec"},
		{"v1", claim, "spec.requests", "spec.devices.requests"},
		{"v1", claim, "spec.config", "spec.devices.config"},
		{"v1", claim, "devices", "spec.devices"},
		{"v1", claim, "requests", "spec.devices.requests"},
		{"v1", claim, "spec.metadata", "metadata"},
		{"v1", claim, "labels", "metadata.labels"},
		{"v1", claim, "metadata.spec", "spec"},
		{"v1", claim, "spec.devices.requests[2].constraints", "spec.devices.constraints"},
		{"v1", claim, "spec.devices.requests[2].exactly.name", "spec.devices.requests[2].name"},
		{"v1", claim, "spec.devices.requests[0].exactly.firstAvailable", "spec.devices.requests[0].firstAvailable"},
		{
			"v1", claim, "spec.devices.requests[1].exactly.selectors[0].expression",
			"spec.devices.requests[1].exactly.selectors[0].cel.expression",
		},
		{
			"v1beta1", claim, "spec.devices.requests[1].selectors[0].expression",
			"spec.devices.requests[1].selectors[0].cel.expression",
		},
		{"v1", claim, "spec.devices.config[0].driver", "spec.devices.config[0].opaque.driver"},
		{"v1", template, "spec.devices", "spec.spec.devices"},
		{"v1", template, "spec.requests", "spec.spec.devices.requests"},
		{"v1", template, "spec.spec.requests", "spec.spec.devices.requests"},
		{"v1", template, "spec.spec.spec", "spec.spec"},
		{"v1", template, "spec.spec.metadata", "spec.metadata"},
		{"v1alpha2", template, "spec.resourceClassName", "spec.spec.resourceClassName"},
		// No path, or several paths, have such a field.
		{"v1", claim, "spec.name", none},
		{"v1", claim, "spec.expression", none},
		{"v1", claim, "spec.devices.nonsense", none},
		{"v1", claim, "metadata.labels.a", none},
		{"v1", "Pod", "spec.devices", none},
	}
	for _, test := range tests {
		h := conversion.Header{Group: "resource.k8s.io", Version: test.version, Kind: test.kind}
		if got := expectedPath(h, test.path); got != test.want {
			t.Errorf("%s of %s in %s belongs in %q, want %q", test.path, test.kind, test.version, got, test.want)
		}
	}
}
