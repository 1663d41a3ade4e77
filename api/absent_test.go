package api_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/api/v1beta2"
)

// Decoding and encoding adds nothing but "metadata": {} and "spec": {}, as upstream's types do, and drops nothing but optional members
// that are null, empty or zero.
func TestWhatWasAbsentStaysAbsent(t *testing.T) {
	tests := map[string]struct {
		into     any
		in, want string
	}{
		"v1alpha1 claim of nothing": {
			&v1alpha1.ResourceClaim{}, `{}`, `{"metadata":{},"spec":{}}`,
		},
		"v1alpha2 claim of nothing": {
			&v1alpha2.ResourceClaim{}, `{}`, `{"metadata":{},"spec":{}}`,
		},
		"v1alpha3 claim of nothing": {
			&v1alpha3.ResourceClaim{}, `{}`, `{"metadata":{},"spec":{}}`,
		},
		"v1alpha1 template of nothing": {
			&v1alpha1.ResourceClaimTemplate{}, `{}`, `{"metadata":{},"spec":{"spec":{}}}`,
		},
		"v1alpha2 template of nothing": {
			&v1alpha2.ResourceClaimTemplate{}, `{}`, `{"metadata":{},"spec":{"spec":{}}}`,
		},
		"v1alpha3 template of nothing": {
			&v1alpha3.ResourceClaimTemplate{}, `{}`, `{"metadata":{},"spec":{"spec":{}}}`,
		},
		"v1alpha1 claim with a class": {
			&v1alpha1.ResourceClaim{},
			`{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"resourceClassName":"c"}}`,
			`{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"resourceClassName":"c"}}`,
		},
		"v1alpha1 allocation without members": {
			&v1alpha1.ResourceClaim{},
			`{"metadata":{},"status":{"allocation":{}}}`,
			`{"metadata":{},"spec":{},"status":{"allocation":{}}}`,
		},
		"v1alpha2 structured handle without members": {
			&v1alpha2.ResourceClaim{},
			`{"metadata":{},"status":{"allocation":{"resourceHandles":[{"structuredData":{}},{"structuredData":{"results":[{"namedResources":{}}]}}]}}}`,
			`{"metadata":{},"spec":{},"status":{"allocation":{"resourceHandles":[{"structuredData":{}},{"structuredData":{"results":[{"namedResources":{}}]}}]}}}`,
		},
		"v1alpha2 as upstream's Go client writes it": {
			&v1alpha2.ResourceClaim{},
			`{"metadata":{"creationTimestamp":null},"spec":{"resourceClassName":"c"},"status":{"allocation":{"resourceHandles":[{"structuredData":{"vendorClassParameters":null,"vendorClaimParameters":null,"results":null}}]}}}`,
			`{"metadata":{},"spec":{"resourceClassName":"c"},"status":{"allocation":{"resourceHandles":[{"structuredData":{}}]}}}`,
		},
		"v1alpha2 parameters that are not objects": {
			&v1alpha2.StructuredResourceHandle{},
			`{"vendorClassParameters":[1, 9007199254740993],"vendorClaimParameters":"text","results":[{"vendorRequestParameters":false}]}`,
			`{"vendorClassParameters":[1, 9007199254740993],"vendorClaimParameters":"text","results":[{"vendorRequestParameters":false}]}`,
		},
		"v1alpha3 as upstream's Go client writes it": {
			&v1alpha3.ResourceClaim{},
			`{"metadata":{"creationTimestamp":null},"spec":{"devices":{"requests":null}},"status":{}}`,
			`{"metadata":{},"spec":{}}`,
		},
		"v1alpha3 allocation without members": {
			&v1alpha3.ResourceClaim{},
			`{"metadata":{},"status":{"allocation":{"devices":{}}}}`,
			`{"metadata":{},"spec":{},"status":{"allocation":{}}}`,
		},
		"v1alpha3 request with a class": {
			&v1alpha3.ResourceClaimTemplate{},
			`{"metadata":{},"spec":{"metadata":{"labels":{"a":"b"}},"spec":{"devices":{"requests":[{"name":"r","deviceClassName":"c","selectors":[{"cel":{}}]}]}}}}`,
			`{"metadata":{},"spec":{"metadata":{"labels":{"a":"b"}},"spec":{"devices":{"requests":[{"name":"r","deviceClassName":"c","selectors":[{"cel":{}}]}]}}}}`,
		},
		"v1alpha3 as clients of 1.32 write it": {
			&v1alpha3.ResourceClaim{},
			`{"spec":{"devices":{"requests":[{"name":"r","deviceClassName":""}]}},"status":{"allocation":{"devices":{"results":[{"adminAccess":null}]}},"devices":[{"driver":"d","conditions":null,"data":null}]}}`,
			`{"metadata":{},"spec":{"devices":{"requests":[{"name":"r"}]}},"status":{"allocation":{"devices":{"results":[{}]}},"devices":[{"driver":"d"}]}}`,
		},
		"false is not absent": {
			&v1beta1.ResourceClaim{},
			`{"metadata":{},"spec":{"devices":{"requests":[{"adminAccess":false}]}},"status":{"allocation":{"devices":{"results":[{"adminAccess":false}]}}}}`,
			`{"metadata":{},"spec":{"devices":{"requests":[{"adminAccess":false}]}},"status":{"allocation":{"devices":{"results":[{"adminAccess":false}]}}}}`,
		},
		"v1 claim of nothing": {
			&v1.ResourceClaim{}, `{}`, `{"metadata":{},"spec":{}}`,
		},
		"v1beta2 template of nothing": {
			&v1beta2.ResourceClaimTemplate{}, `{}`, `{"metadata":{},"spec":{"spec":{}}}`,
		},
		"v1 as upstream's Go client writes it": {
			&v1.ResourceClaim{},
			`{"metadata":{},"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"","capacity":{}}}]}},"status":{"allocation":{"devices":{}},"devices":[{"driver":"","conditions":null,"networkData":{}}]}}`,
			`{"metadata":{},"spec":{"devices":{"requests":[{"name":"r","exactly":{"capacity":{}}}]}},"status":{"allocation":{},"devices":[{"networkData":{}}]}}`,
		},
		"v1 quantities and data as they were sent": {
			&v1.ResourceClaim{},
			`{"metadata":{},"spec":{},"status":{"allocation":{"devices":{"results":[{"consumedCapacity":{"memory":"1Gi","a.b/c":"1500m"}}]},"allocationTimestamp":"2026-01-02T03:04:05Z"},"devices":[{"data":{"n": 9007199254740993}}]}}`,
			`{"metadata":{},"spec":{},"status":{"allocation":{"devices":{"results":[{"consumedCapacity":{"memory":"1Gi","a.b/c":"1500m"}}]},"allocationTimestamp":"2026-01-02T03:04:05Z"},"devices":[{"data":{"n": 9007199254740993}}]}}`,
		},
		"a list says that it has no items": {
			&v1alpha3.ResourceClaimList{}, `{}`, `{"metadata":{},"items":null}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if err := json.Unmarshal([]byte(test.in), test.into); err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(test.into)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(withNumbers(t, []byte(test.want)), withNumbers(t, got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// withNumbers decodes without losing digits: 2^53 and 2^53+1 are the same float64.
func withNumbers(t *testing.T, data []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return value
}
