package validation

import (
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

// The specs of v1alpha1 and v1alpha2 have the same fields, so rules see both in the type of v1alpha2.

func partsOfV1alpha1(spec *v1alpha1.ResourceClaimSpec, status *v1alpha1.ResourceClaimStatus, _ release) parts {
	p := classicParts(v1alpha2.ResourceClaimSpec{
		ResourceClassName: spec.ResourceClassName,
		ParametersRef:     (*v1alpha2.ResourceClaimParametersReference)(spec.ParametersRef),
		AllocationMode:    v1alpha2.AllocationMode(spec.AllocationMode),
	})
	p.use = useOf(status.ReservedFor, status.DeallocationRequested)
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
	p.use = useOf(status.ReservedFor, status.DeallocationRequested)
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

// useOf a claim, whose consumers have the same fields in every version.
func useOf[C v1alpha1.ResourceClaimConsumerReference | v1alpha2.ResourceClaimConsumerReference](consumers []C, deallocationRequested bool) use {
	u := use{consumers: make([]consumer, len(consumers)), deallocationRequested: deallocationRequested}
	for i, c := range consumers {
		u.consumers[i] = consumer(c)
	}
	return u
}
