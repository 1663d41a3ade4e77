package hub

import (
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

// toV1alpha1 returns the claim in v1alpha1. Only one handle is visible there: the one without structured data whose
// driver is that of the claim.
func (c *V1alpha2) toV1alpha1(o Options) (*V1alpha1, error) {
	if err := c.checkHandles(o); err != nil {
		return nil, err
	}
	out := &V1alpha1{}
	if c.Spec != nil {
		out.Spec = classicSpecWithDefaults(c.Spec, o)
	}
	if c.Status != nil {
		out.Status = v1alpha2StatusToV1alpha1(c.Status)
	}
	return out, nil
}

func v1alpha2StatusToV1alpha1(in *v1alpha2.ResourceClaimStatus) *v1alpha1.ResourceClaimStatus {
	out := &v1alpha1.ResourceClaimStatus{
		DriverName:            in.DriverName,
		ReservedFor:           in.ReservedFor,
		DeallocationRequested: in.DeallocationRequested,
	}
	if in.Allocation != nil {
		out.Allocation = &v1alpha1.AllocationResult{
			ResourceHandle:   handleOfDriver(in.DriverName, in.Allocation.ResourceHandles),
			AvailableOnNodes: in.Allocation.AvailableOnNodes,
			Shareable:        in.Allocation.Shareable,
		}
	}
	return out
}

// handleOfDriver returns the data of the driver's first handle without structured data. A handle that names no driver
// counts if it is the only one.
func handleOfDriver(driver string, handles []v1alpha2.ResourceHandle) string {
	for _, h := range handles {
		isOfDriver := h.DriverName == driver || h.DriverName == "" && len(handles) == 1
		if h.StructuredData == nil && isOfDriver {
			return h.Data
		}
	}
	return ""
}
