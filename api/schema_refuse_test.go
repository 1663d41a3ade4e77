package api_test

import (
	"slices"
	"strings"
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
		"257 reservations":         {"v1alpha2", "ResourceClaim", classic(`{"reservedFor":` + list(257, consumer) + `}`), "status.reservedFor"},
		"33 handles":               {"v1alpha2", "ResourceClaim", classic(`{"allocation":{"resourceHandles":` + list(33, `{}`) + `}}`), "status.allocation.resourceHandles"},
		"one consumer twice": {"v1alpha3", "ResourceClaim",
			`{"status":{"reservedFor":` + list(2, `{"resource":"pods","name":"p%d","uid":"u"}`) + `}}`, "status.reservedFor[1]"},
		"consumer without uid":       {"v1alpha3", "ResourceClaim", `{"status":{"reservedFor":[{"resource":"pods","name":"p"}]}}`, "status.reservedFor[0].uid"},
		"unnamed instance":           {"v1alpha2", "ResourceClaim", classic(`{"allocation":{"resourceHandles":[{"structuredData":{"results":[{"namedResources":{}}]}}]}}`), "status.allocation.resourceHandles[0].structuredData.results[0].namedResources.name"},
		"request without a name":     {"v1alpha3", "ResourceClaim", devices(`{"requests":[{"deviceClassName":"c"}]}`), "spec.devices.requests[0].name"},
		"33 requests":                {"v1alpha3", "ResourceClaim", devices(`{"requests":` + list(33, `{"name":"r%d","deviceClassName":"c"}`) + `}`), "spec.devices.requests"},
		"33 selectors":               {"v1alpha3", "ResourceClaim", request(`,"selectors":` + list(33, `{"cel":{"expression":"true"}}`)), "spec.devices.requests[0].selectors"},
		"unknown device mode":        {"v1alpha3", "ResourceClaim", request(`,"allocationMode":"Some"`), "spec.devices.requests[0].allocationMode"},
		"parameters are null":        {"v1alpha3", "ResourceClaim", devices(`{"config":[{"opaque":{"driver":"d","parameters":null}}]}`), "spec.devices.config[0].opaque.parameters"},
		"parameters are not objects": {"v1alpha3", "ResourceClaim", devices(`{"config":[{"opaque":{"driver":"d","parameters":[]}}]}`), "spec.devices.config[0].opaque.parameters"},
		"33 results":                 {"v1alpha3", "ResourceClaim", allocated(`{"results":` + list(33, result("r", "d", "p", "n")) + `}`), "status.allocation.devices.results"},
		"65 configurations":          {"v1alpha3", "ResourceClaim", allocated(`{"config":` + list(65, `{"source":"FromClass"}`) + `}`), "status.allocation.devices.config"},
		"unknown source":             {"v1alpha3", "ResourceClaim", allocated(`{"config":[{"source":"FromPod"}]}`), "status.allocation.devices.config[0].source"},
		"9 alternatives":             {"v1alpha3", "ResourceClaim", devices(`{"requests":[{"name":"r","firstAvailable":` + list(9, `{"name":"s%d"}`) + `}]}`), "spec.devices.requests[0].firstAvailable"},
		"a device reported twice": {"v1alpha3", "ResourceClaim",
			`{"status":{"devices":` + list(2, `{"driver":"d","pool":"p","device":"n"}`) + `}}`, "status.devices[1]"},
		"a device of nobody":  {"v1", "ResourceClaim", `{"status":{"devices":[{"pool":"p","device":"n"}]}}`, "status.devices[0].driver"},
		"data is a text":      {"v1beta1", "ResourceClaim", reported(`,"data":"text"`), "status.devices[0].data"},
		"9 conditions":        {"v1", "ResourceClaim", reported(`,"conditions":` + list(9, `{"type":"c%d"}`)), "status.devices[0].conditions"},
		"one condition twice": {"v1", "ResourceClaim", reported(`,"conditions":` + list(2, `{"type":"c"}`)), "status.devices[0].conditions[1]"},
		"17 addresses":        {"v1", "ResourceClaim", reported(`,"networkData":{"ips":` + list(17, `"10.0.0.%d/8"`) + `}`), "status.devices[0].networkData.ips"},
		"5 binding conditions": {"v1", "ResourceClaim",
			allocated(`{"results":[` + strings.Replace(result("r", "d", "p", "n"), "}", `,"bindingConditions":`+list(5, `"c%d"`)+`}`, 1) + `]}`),
			"status.allocation.devices.results[0].bindingConditions"},
		"a quantity of nothing":     {"v1", "ResourceClaim", exactly(`,"capacity":{"requests":{"memory":"much"}}`), "spec.devices.requests[0].exactly.capacity.requests.memory"},
		"unknown mode in exactly":   {"v1beta2", "ResourceClaim", exactly(`,"allocationMode":"Some"`), "spec.devices.requests[0].exactly.allocationMode"},
		"33 requests of a template": {"v1", "ResourceClaimTemplate", `{"spec":` + devices(`{"requests":`+list(33, `{"name":"r%d"}`)+`}`) + `}`, "spec.spec.devices.requests"},
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
func TestSchemasDefaultWhatUpstreamDoes(t *testing.T) {
	tests := map[string]struct{ version, kind, body, want string }{
		"v1alpha1 claim": {"v1alpha1", "ResourceClaim",
			`{"spec":{"resourceClassName":"c"}}`, `{"spec":{"resourceClassName":"c","allocationMode":"WaitForFirstConsumer"}}`},
		"v1alpha2 template": {"v1alpha2", "ResourceClaimTemplate",
			`{"spec":{"spec":{"resourceClassName":"c"}}}`, `{"spec":{"spec":{"resourceClassName":"c","allocationMode":"WaitForFirstConsumer"}}}`},
		"v1alpha3 claim, no count": {"v1alpha3", "ResourceClaim",
			`{"spec":{"devices":{"requests":[{"name":"r"},{"name":"s","allocationMode":"All"}]}}}`,
			`{"spec":{"devices":{"requests":[{"name":"r"},{"name":"s","allocationMode":"All"}]}}}`},
		"v1 claim": {"v1", "ResourceClaim",
			`{"spec":{"devices":{"requests":[{"name":"r","exactly":{"tolerations":[{"key":"a"}]}},{"name":"s","firstAvailable":[{"name":"t"}]}]}}}`,
			`{"spec":{"devices":{"requests":[{"name":"r","exactly":{"allocationMode":"ExactCount","tolerations":[{"key":"a","operator":"Equal"}]}},{"name":"s","firstAvailable":[{"name":"t","allocationMode":"ExactCount"}]}]}}}`},
		"v1beta1 template, a request with alternatives": {"v1beta1", "ResourceClaimTemplate",
			`{"spec":{"spec":{"devices":{"requests":[{"name":"s","firstAvailable":[{"name":"t","tolerations":[{}]}]}]}}}}`,
			`{"spec":{"spec":{"devices":{"requests":[{"name":"s","firstAvailable":[{"name":"t","allocationMode":"ExactCount","tolerations":[{"operator":"Equal"}]}]}]}}}}`},
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
