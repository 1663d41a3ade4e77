package v1

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
)

// Parts of claims of v1beta2 and v1.
var Parts = chain.PartsOf[v1.ResourceClaimSpec, v1.ResourceClaimStatus]()

// Completed is a claim of v1beta2 or v1 with the defaults of its version, when it gets them. What lacks none is not
// copied.
var Completed = chain.Halves(CompletedSpec, CompletedStatus)

// CompletedSpec is the spec of one.
func CompletedSpec(s *v1.ResourceClaimSpec, f chain.Form) *v1.ResourceClaimSpec {
	if f.GetsDefaults() && slices.ContainsFunc(s.Devices.Requests, v1.LacksDefaults) {
		s = s.DeepCopy()
		v1.SetSpecDefaults(s)
	}
	return s
}

// CompletedStatus is the status of one, or of one of v1beta1.
func CompletedStatus(s *v1.ResourceClaimStatus, f chain.Form) *v1.ResourceClaimStatus {
	if !f.GetsDefaults() || s.Allocation == nil {
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
