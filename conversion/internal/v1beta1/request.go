package v1beta1

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
)

func requestDown(new v1beta1.DeviceRequest) v1alpha3.DeviceRequest {
	return v1alpha3.DeviceRequest{
		Name: new.Name, DeviceClassName: new.DeviceClassName, Selectors: new.Selectors, AllocationMode: new.AllocationMode,
		Count: new.Count, AdminAccess: new.AdminAccess, Tolerations: tolerationsDown(new.Tolerations),
		FirstAvailable: chain.List(new.FirstAvailable, alternativeDown),
	}
}

func alternativeDown(new v1.DeviceSubRequest) v1alpha3.DeviceSubRequest {
	return v1alpha3.DeviceSubRequest{
		Name: new.Name, DeviceClassName: new.DeviceClassName, Selectors: new.Selectors, AllocationMode: new.AllocationMode,
		Count: new.Count, Tolerations: tolerationsDown(new.Tolerations),
	}
}

// constraintsDown leaves out those that only compare for difference: v1alpha3 has no such constraint.
func constraintsDown(new []v1.DeviceConstraint) []v1alpha3.DeviceConstraint {
	old := make([]v1alpha3.DeviceConstraint, 0, len(new))
	for _, c := range new {
		if c.MatchAttribute != nil || c.DistinctAttribute == nil {
			old = append(old, v1alpha3.DeviceConstraint{Requests: c.Requests, MatchAttribute: c.MatchAttribute})
		}
	}
	if len(old) == 0 && len(new) > 0 || new == nil {
		return nil
	}
	return old
}
