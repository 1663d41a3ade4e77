package api_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The schema stands in front of the webhooks: what it refuses never reaches them, and must be refused by upstream too.
func TestSchemasRefuseWhatUpstreamRefused(t *testing.T) {
	tests := map[string]struct{ version, kind, body, field string }{
		"claim without a class":    {"v1alpha1", "ResourceClaim", `{"spec":{}}`, "spec.resourceClassName"},
		"claim without a spec":     {"v1alpha2", "ResourceClaim", `{}`, "spec"},
		"template without a class": {"v1alpha2", "ResourceClaimTemplate", `{"spec":{"spec":{}}}`, "spec.spec.resourceClassName"},
		"unknown allocation mode": {"v1alpha1", "ResourceClaim",
			`{"spec":{"resourceClassName":"c","allocationMode":"Later"}}`, "spec.allocationMode"},
		"handle of the wrong type": {"v1alpha1", "ResourceClaim", classic(`{"allocation":{"resourceHandle":{}}}`), "status.allocation.resourceHandle"},
		"33 reservations":          {"v1alpha2", "ResourceClaim", classic(`{"reservedFor":` + list(33, consumer) + `}`), "status.reservedFor"},
		"33 handles":               {"v1alpha2", "ResourceClaim", classic(`{"allocation":{"resourceHandles":` + list(33, `{}`) + `}}`), "status.allocation.resourceHandles"},
		"one consumer twice": {"v1alpha3", "ResourceClaim",
			`{"status":{"reservedFor":` + list(2, `{"resource":"pods","name":"p%d","uid":"u"}`) + `}}`, "status.reservedFor[1]"},
		"consumer without uid":       {"v1alpha3", "ResourceClaim", `{"status":{"reservedFor":[{"resource":"pods","name":"p"}]}}`, "status.reservedFor[0].uid"},
		"unnamed instance":           {"v1alpha2", "ResourceClaim", classic(`{"allocation":{"resourceHandles":[{"structuredData":{"results":[{"namedResources":{}}]}}]}}`), "status.allocation.resourceHandles[0].structuredData.results[0].namedResources.name"},
		"request without a name":     {"v1alpha3", "ResourceClaim", devices(`{"requests":[{"deviceClassName":"c"}]}`), "spec.devices.requests[0].name"},
		"33 requests":                {"v1alpha3", "ResourceClaim", devices(`{"requests":` + list(33, `{"name":"r%d","deviceClassName":"c"}`) + `}`), "spec.devices.requests"},
		"33 selectors":               {"v1alpha3", "ResourceClaim", request(`,"selectors":` + list(33, `{"cel":{"expression":"true"}}`)), "spec.devices.requests[0].selectors"},
		"negative count":             {"v1alpha3", "ResourceClaim", request(`,"count":-1`), "spec.devices.requests[0].count"},
		"unknown device mode":        {"v1alpha3", "ResourceClaim", request(`,"allocationMode":"Some"`), "spec.devices.requests[0].allocationMode"},
		"parameters are null":        {"v1alpha3", "ResourceClaim", devices(`{"config":[{"opaque":{"driver":"d","parameters":null}}]}`), "spec.devices.config[0].opaque.parameters"},
		"parameters are not objects": {"v1alpha3", "ResourceClaim", devices(`{"config":[{"opaque":{"driver":"d","parameters":[]}}]}`), "spec.devices.config[0].opaque.parameters"},
		"33 results":                 {"v1alpha3", "ResourceClaim", allocated(`{"results":` + list(33, result("r", "d", "p", "n")) + `}`), "status.allocation.devices.results"},
		"65 configurations":          {"v1alpha3", "ResourceClaim", allocated(`{"config":` + list(65, `{"source":"FromClass"}`) + `}`), "status.allocation.devices.config"},
		"unknown source":             {"v1alpha3", "ResourceClaim", allocated(`{"config":[{"source":"FromPod"}]}`), "status.allocation.devices.config[0].source"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, _, refusals := write(t, test.version, test.kind, test.body)
			var fields []string
			for _, err := range refusals {
				fields = append(fields, err.Field)
			}
			if !slices.Contains(fields, test.field) {
				t.Errorf("want %s among the refused fields, got %v", test.field, refusals)
			}
		})
	}
}

// Defaults are those of upstream and no more: the API server sets them before conversion, also where a client sent a
// part of an object only, and whatever it sets becomes that client's.
func TestSchemasDefaultTheAllocationModeOnly(t *testing.T) {
	tests := map[string]struct{ version, kind, body, want string }{
		"v1alpha1 claim": {"v1alpha1", "ResourceClaim",
			`{"spec":{"resourceClassName":"c"}}`, `{"spec":{"resourceClassName":"c","allocationMode":"WaitForFirstConsumer"}}`},
		"v1alpha2 template": {"v1alpha2", "ResourceClaimTemplate",
			`{"spec":{"spec":{"resourceClassName":"c"}}}`, `{"spec":{"spec":{"resourceClassName":"c","allocationMode":"WaitForFirstConsumer"}}}`},
		"v1alpha3 claim, no count": {"v1alpha3", "ResourceClaim",
			`{"spec":{"devices":{"requests":[{"name":"r"},{"name":"s","allocationMode":"All"}]}}}`,
			`{"spec":{"devices":{"requests":[{"name":"r","allocationMode":"ExactCount"},{"name":"s","allocationMode":"All"}]}}}`},
		"a fragment without spec": {"v1alpha3", "ResourceClaim", `{"metadata":{}}`, `{"metadata":{}}`},
		"a status": {"v1alpha2", "ResourceClaim",
			`{"status":{"allocation":{"resourceHandles":[{}]}}}`, `{"status":{"allocation":{"resourceHandles":[{}]}}}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			stored, _, _ := write(t, test.version, test.kind, test.body)
			if diff := cmp.Diff(decode(t, []byte(test.want)), stored); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
