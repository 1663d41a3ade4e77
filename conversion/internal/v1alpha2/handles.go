package v1alpha2

import (
	"reflect"

	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// handlesOf is the list that a v1alpha1 status stands for.
func handlesOf(s *v1alpha1.ResourceClaimStatus) []v1alpha2.ResourceHandle {
	if s.Allocation.ResourceHandle == "" {
		return nil
	}
	return []v1alpha2.ResourceHandle{{DriverName: s.DriverName, Data: s.Allocation.ResourceHandle}}
}

// handleFor is the one string that a list of handles can be for a claim's driver.
func handleFor(driver string, handles []v1alpha2.ResourceHandle) string {
	for _, h := range handles {
		if h.StructuredData == nil && (h.DriverName == driver || h.DriverName == "" && len(handles) == 1) {
			return h.Data
		}
	}
	return ""
}

// EqualHandle compares two handles as the API server sees them: absent and empty lists are the
// same, and so are parameters that say the same.
func EqualHandle(a, b v1alpha2.ResourceHandle) bool {
	if a.StructuredData == nil && b.StructuredData == nil {
		return a == b
	}
	return reflect.DeepEqual(a, b) || HandleKey(&a) == HandleKey(&b)
}

// HandleKey is the same for handles that are equal: canonical JSON.
func HandleKey(h *v1alpha2.ResourceHandle) string {
	return kjson.View(kjson.AppendCanonical(nil, h))
}
