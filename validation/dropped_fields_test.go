package validation

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatAReleaseDropsIsNamed(t *testing.T) {
	claim := func(version, spec, status string) string {
		return `{"apiVersion":"resource.k8s.io/` + version + `","kind":"ResourceClaim","metadata":{"name":"a"},"spec":` + spec + `,"status":` + status + `}`
	}
	nested := claim("v1", `{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c","capacity":{},"derivedAttributes":[{}],"tolerations":[{}],"adminAccess":true}}],
		"constraints":[{"distinctAttribute":"d"}]}}`, `{}`)
	allocated := claim("v1", `{}`, `{"allocation":{"allocationTimestamp":"t","devices":{"results":[{"shareID":"s","bindingConditions":["b"],"skipNodeOperations":["x"]}]}},
		"devices":[{"shareID":"s"}]}`)
	for name, test := range map[string]struct {
		request Request
		want    []Dropped
	}{
		"1.36 has no derived attributes": {Request{Operation: Create, Object: []byte(nested), Release: "1.36"},
			[]Dropped{{Field: "spec.devices.requests[0].exactly.derivedAttributes", Since: "1.37"}}},
		"1.37 has them behind a gate": {Request{Operation: Create, Object: []byte(nested), Release: "1.37"},
			[]Dropped{{Field: "spec.devices.requests[0].exactly.derivedAttributes"}}},
		"a gate stays open for what was there": {Request{Operation: Update, Object: []byte(nested), OldObject: []byte(nested), Release: "1.37"}, nil},
		"gates of 1.35": {Request{Operation: Create, Object: []byte(nested), Release: "1.35"}, []Dropped{
			{Field: "spec.devices.constraints[0].distinctAttribute"}, {Field: "spec.devices.requests[0].exactly.capacity"},
			{Field: "spec.devices.requests[0].exactly.derivedAttributes", Since: "1.37"}, {Field: "spec.devices.requests[0].exactly.tolerations"}}},
		"a status": {Request{Operation: UpdateStatus, Object: []byte(allocated), Release: "1.34"}, []Dropped{
			{Field: "status.allocation.allocationTimestamp"}, {Field: "status.allocation.devices.results[0].bindingConditions"},
			{Field: "status.allocation.devices.results[0].shareID"}, {Field: "status.allocation.devices.results[0].skipNodeOperations", Since: "1.37"},
			{Field: "status.devices[0].shareID"}}},
		"a create brings no status": {Request{Operation: Create, Object: []byte(allocated), Release: "1.34"}, nil},
		"1.31 does not know alternatives": {Request{Operation: Create, Release: "1.31", Object: []byte(claim("v1alpha3",
			`{"controller":"d","devices":{"requests":[{"name":"r","adminAccess":true,"firstAvailable":[{"tolerations":[{}]}]}]}}`, `{}`))},
			[]Dropped{{Field: "spec.devices.requests[0].firstAvailable", Since: "1.33"}}},
		"1.32 has no controllers": {Request{Operation: Create, Release: "1.32", Object: []byte(claim("v1alpha3", `{"controller":"d"}`, `{}`))},
			[]Dropped{{Field: "spec.controller", Gone: "1.32"}}},
		"what nobody set": {Request{Operation: Create, Release: "1.32", Object: []byte(claim("v1alpha3", `{"controller":"","devices":{"requests":[{"tolerations":[]}]}}`, `{}`))}, nil},
		"a template": {Request{Operation: Create, Release: "1.33", Object: []byte(strings.ReplaceAll(
			`{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaimTemplate","spec":{"spec":{"devices":{"requests":[{"capacity":{"requests":{}}}]}}}}`, "\n", ""))},
			[]Dropped{{Field: "spec.spec.devices.requests[0].capacity", Since: "1.34"}}},
		"1.28 has no structured data": {Request{Operation: UpdateStatus, Release: "1.28", Object: []byte(claim("v1alpha2", `{}`,
			`{"allocation":{"resourceHandles":[{"structuredData":{}}]}}`))}, []Dropped{{Field: "status.allocation.resourceHandles[0].structuredData", Since: "1.30"}}},
	} {
		got, err := DroppedFields(test.request)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}
