package v1alpha2

import (
	"errors"

	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
)

// HandlesLeftover is the list of handles where v1alpha1's one string does not say it all.
type HandlesLeftover struct {
	Handles leftover.Delta[v1alpha2.ResourceHandle] `json:"handles"`
}

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

// check refuses handles that say something else than the old status shows, or that v1alpha2 would not accept.
func (left *HandlesLeftover) check(old *v1alpha1.ResourceClaimStatus) error {
	native := handlesOf(old)
	if err := left.Handles.Check(native, v1alpha2.AllocationResultResourceHandlesMaxSize, nil); err != nil {
		return err
	}
	handles := left.Handles.Apply(native)
	if handleFor(old.DriverName, handles) != old.Allocation.ResourceHandle {
		return errors.New("the handles are not those of status.allocation.resourceHandle")
	}
	return CheckHandles(handles)
}
