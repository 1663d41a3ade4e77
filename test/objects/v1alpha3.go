package objects

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// v1alpha3Spec returns a random spec of Kubernetes 1.31 to 1.33.
func (s Source) v1alpha3Spec() v1alpha3.ResourceClaimSpec {
	spec := as[v1alpha3.ResourceClaimSpec](toV1beta1(s.until(33).spec()))
	if s.hasControllers() && s.oneIn(3) {
		spec.Controller = s.driver()
	}
	return spec
}

// V1alpha3Status returns a random status of Kubernetes 1.31 to 1.33 for a spec.
func (s Source) V1alpha3Status(spec v1alpha3.ResourceClaimSpec) v1alpha3.ResourceClaimStatus {
	v1Status := s.until(33).V1Status(as[v1.ResourceClaimSpec](spec)) // it needs only the names of the requests
	status := as[v1alpha3.ResourceClaimStatus](v1Status)
	status.DeallocationRequested = v1Status.ClaimbridgeDeallocationRequested
	if status.Allocation != nil && s.hasControllers() && s.oneIn(3) {
		status.Allocation.Controller = s.driver()
	}
	return status
}
