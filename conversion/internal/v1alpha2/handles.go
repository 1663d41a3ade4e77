package v1alpha2

import (
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
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
