package v1

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
)

// Claim of v1beta2 or v1.
type Claim = chain.Of[v1.ResourceClaimSpec, v1.ResourceClaimStatus]

// Completed is a claim of v1beta2 or v1 with the defaults of its version, when it gets them. What lacks none is not
// copied.
func Completed(c Claim) Claim {
	if !c.GetsDefaults() {
		return c
	}
	if c.Spec != nil && slices.ContainsFunc(c.Spec.Devices.Requests, v1.LacksDefaults) {
		c.Spec = c.Spec.DeepCopy()
		v1.SetSpecDefaults(c.Spec)
	}
	c.Status = CompletedStatus(c.Status)
	return c
}

// CompletedStatus is the status of a whole object with its defaults.
func CompletedStatus(s *v1.ResourceClaimStatus) *v1.ResourceClaimStatus {
	if s == nil || s.Allocation == nil {
		return s
	}
	for _, r := range s.Allocation.Devices.Results {
		if v1.LackOperators(r.Tolerations) {
			s = s.DeepCopy()
			v1.SetStatusDefaults(s)
			return s
		}
	}
	return s
}
