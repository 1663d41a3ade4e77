package validation

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

func partsOfV1alpha1(spec *v1alpha1.ResourceClaimSpec, status *v1alpha1.ResourceClaimStatus, _ release) parts {
	p := classicParts(*spec, status.DriverName, use{
		consumers:             status.ReservedFor,
		deallocationRequested: status.DeallocationRequested,
	})
	if a := status.Allocation; a != nil {
		p.allocate(a, a.AvailableOnNodes, a.Shareable)
		p.classicStatus.handle = a.ResourceHandle
	}
	return p
}

func partsOfV1alpha2(spec *v1alpha2.ResourceClaimSpec, status *v1alpha2.ResourceClaimStatus, _ release) parts {
	p := classicParts(*spec, status.DriverName, use{
		consumers:             status.ReservedFor,
		deallocationRequested: status.DeallocationRequested,
	})
	if a := status.Allocation; a != nil {
		p.allocate(a, a.AvailableOnNodes, a.Shareable)
		p.classicStatus.handles = a.ResourceHandles
	}
	return p
}

func classicParts(spec v1alpha2.ResourceClaimSpec, driverName string, of use) parts {
	v1alpha2.SetSpecDefaults(&spec)
	return parts{classic: &spec, classicStatus: &classicStatus{driverName: driverName}, use: of}
}

func (p *parts) allocate(allocation any, nodes *corev1.NodeSelector, shareable bool) {
	p.use.allocated, p.nodes = true, nodes
	p.classicStatus.allocation, p.classicStatus.shareable = allocation, shareable
}
