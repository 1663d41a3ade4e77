package v1beta2

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1beta1"
)

func requestUp(old v1beta1.DeviceRequest) v1.DeviceRequest {
	exactly := v1.ExactDeviceRequest{
		DeviceClassName: old.DeviceClassName, Selectors: old.Selectors, AllocationMode: old.AllocationMode, Count: old.Count,
		AdminAccess: old.AdminAccess, Tolerations: old.Tolerations, Capacity: old.Capacity, DerivedAttributes: old.DerivedAttributes,
	}
	new := v1.DeviceRequest{Name: old.Name, FirstAvailable: old.FirstAvailable}
	if isSet(&exactly) {
		new.Exactly = &exactly
	}
	return new
}

// isSet reports whether a field is set, if only to an empty list.
func isSet(e *v1.ExactDeviceRequest) bool {
	return e.DeviceClassName != "" || e.Selectors != nil || e.AllocationMode != "" || e.Count != 0 ||
		e.AdminAccess != nil || e.Tolerations != nil || e.Capacity != nil || e.DerivedAttributes != nil
}

func requestDown(new v1.DeviceRequest) v1beta1.DeviceRequest {
	old := v1beta1.DeviceRequest{Name: new.Name, FirstAvailable: cloneAlternatives(new.FirstAvailable)}
	e := new.Exactly
	if e == nil {
		return old
	}
	old.DeviceClassName, old.Selectors, old.AllocationMode, old.Count = e.DeviceClassName, e.Selectors, e.AllocationMode, e.Count
	old.AdminAccess, old.Tolerations, old.Capacity = e.AdminAccess, slices.Clone(e.Tolerations), e.Capacity
	old.DerivedAttributes = e.DerivedAttributes
	if !isSet(e) {
		old.AllocationMode, old.Count = v1.DeviceAllocationModeExactCount, 1
	}
	return old
}

// cloneAlternatives copies what defaults are set in.
func cloneAlternatives(of []v1.DeviceSubRequest) []v1.DeviceSubRequest {
	out := slices.Clone(of)
	for i := range out {
		out[i].Tolerations = slices.Clone(out[i].Tolerations)
	}
	return out
}
