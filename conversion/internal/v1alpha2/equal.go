package v1alpha2

import (
	"slices"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// EqualHandles compares handles as the API server sees them: absent and empty lists are the same.
func EqualHandles(a, b []v1alpha2.ResourceHandle) bool { return slices.EqualFunc(a, b, EqualHandle) }

// EqualHandle compares two.
func EqualHandle(a, b v1alpha2.ResourceHandle) bool {
	return a.DriverName == b.DriverName && a.Data == b.Data && leftover.EqualPointers(a.StructuredData, b.StructuredData, equalStructured)
}

func equalStructured(a, b v1alpha2.StructuredResourceHandle) bool {
	return leftover.EqualRaw(a.VendorClassParameters.Raw, b.VendorClassParameters.Raw) &&
		leftover.EqualRaw(a.VendorClaimParameters.Raw, b.VendorClaimParameters.Raw) &&
		a.NodeName == b.NodeName && slices.EqualFunc(a.Results, b.Results, equalResult)
}

func equalResult(a, b v1alpha2.DriverAllocationResult) bool {
	return leftover.EqualRaw(a.VendorRequestParameters.Raw, b.VendorRequestParameters.Raw) &&
		leftover.EqualPointers(a.NamedResources, b.NamedResources, leftover.Same)
}

// HandleKey is the same for handles that are equal: canonical JSON.
func HandleKey(h *v1alpha2.ResourceHandle) string {
	return kjson.View(kjson.AppendCanonical(nil, h))
}
