package objects

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// v1alpha3Spec is a random spec of Kubernetes 1.31 to 1.33.
func (s Source) v1alpha3Spec() v1alpha3.ResourceClaimSpec {
	spec := as[v1alpha3.ResourceClaimSpec](toV1beta1(s.until(33).spec()))
	if s.withControllers() && s.some(3) {
		spec.Controller = s.driver()
	}
	return spec
}

// V1alpha3Status is a random status of Kubernetes 1.31 to 1.33 for a spec.
func (s Source) V1alpha3Status(spec v1alpha3.ResourceClaimSpec) v1alpha3.ResourceClaimStatus {
	later := s.until(33).V1Status(as[v1.ResourceClaimSpec](spec)) // which needs names alone
	status := as[v1alpha3.ResourceClaimStatus](later)
	status.DeallocationRequested = later.ClaimbridgeDeallocationRequested
	if status.Allocation != nil && s.withControllers() && s.some(3) {
		status.Allocation.Controller = s.driver()
	}
	return status
}
