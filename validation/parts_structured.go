package validation

import (
	"slices"

	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

func partsOfV1alpha3(spec v1alpha3.ResourceClaimSpec, status *v1alpha3.ResourceClaimStatus) parts {
	spec.Devices.Requests = slices.Clone(spec.Devices.Requests) // the object stays as it was sent
	v1alpha3.SetSpecDefaults(&spec)
	p := parts{
		structured: &spec,
		wholeSpec:  &spec,
		allocation: status.Allocation,
		use:        use{consumers: status.ReservedFor, deallocationRequested: status.DeallocationRequested},
	}
	if status.Allocation != nil {
		p.use.allocated = true
		p.wholeAllocation = status.Allocation
		p.nodes = status.Allocation.NodeSelector
	}
	return p
}
