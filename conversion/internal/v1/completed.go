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
	if c.Spec != nil && slices.ContainsFunc(c.Spec.Devices.Requests, lacksDefaults) {
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
		if LackOperators(r.Tolerations) {
			s = s.DeepCopy()
			v1.SetStatusDefaults(s)
			return s
		}
	}
	return s
}

func lacksDefaults(r v1.DeviceRequest) bool {
	if e := r.Exactly; e != nil && (LacksMode(e.AllocationMode, e.Count) || LackOperators(e.Tolerations)) {
		return true
	}
	return slices.ContainsFunc(r.FirstAvailable, func(a v1.DeviceSubRequest) bool {
		return LacksMode(a.AllocationMode, a.Count) || LackOperators(a.Tolerations)
	})
}

// LacksMode reports whether a request of a class has a mode and a count to be completed.
func LacksMode(mode v1.DeviceAllocationMode, count int64) bool {
	return mode == "" || mode == v1.DeviceAllocationModeExactCount && count == 0
}

// LackOperators reports whether one of some tolerations has an operator to be completed.
func LackOperators(tolerations []v1.DeviceToleration) bool {
	return slices.ContainsFunc(tolerations, func(t v1.DeviceToleration) bool { return t.Operator == "" })
}
