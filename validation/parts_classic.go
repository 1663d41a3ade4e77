package validation

import (
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

func partsOfV1alpha1(spec *v1alpha1.ResourceClaimSpec, status *v1alpha1.ResourceClaimStatus, _ release) parts {
	p := classicParts(*spec)
	p.use = use{consumers: status.ReservedFor, deallocationRequested: status.DeallocationRequested}
	p.classicStatus.driverName = status.DriverName
	if allocation := status.Allocation; allocation != nil {
		p.use.allocated = true
		p.classicStatus.allocation = allocation
		p.nodes = allocation.AvailableOnNodes
		p.classicStatus.handle, p.classicStatus.shareable = allocation.ResourceHandle, allocation.Shareable
	}
	return p
}

func partsOfV1alpha2(spec *v1alpha2.ResourceClaimSpec, status *v1alpha2.ResourceClaimStatus, _ release) parts {
	p := classicParts(*spec)
	p.use = use{consumers: status.ReservedFor, deallocationRequested: status.DeallocationRequested}
	p.classicStatus.driverName = status.DriverName
	if allocation := status.Allocation; allocation != nil {
		p.use.allocated = true
		p.classicStatus.allocation = allocation
		p.nodes = allocation.AvailableOnNodes
		p.classicStatus.handles, p.classicStatus.shareable = allocation.ResourceHandles, allocation.Shareable
	}
	return p
}

func classicParts(spec v1alpha2.ResourceClaimSpec) parts {
	v1alpha2.SetSpecDefaults(&spec)
	return parts{classic: &spec, classicStatus: &classicStatus{}}
}
