package v1beta1

import v1 "github.com/claimbridge/claimbridge/api/v1"

// Exactly returns the fields of the request that v1 has in `exactly`.
func (r *DeviceRequest) Exactly() v1.ExactDeviceRequest {
	return v1.ExactDeviceRequest{
		DeviceClassName: r.DeviceClassName, Selectors: r.Selectors, AllocationMode: r.AllocationMode, Count: r.Count,
		AdminAccess:       r.AdminAccess,
		Tolerations:       r.Tolerations,
		Capacity:          r.Capacity,
		DerivedAttributes: r.DerivedAttributes,
	}
}

// SetExactly sets the fields of the request that v1 has in `exactly`.
func (r *DeviceRequest) SetExactly(e v1.ExactDeviceRequest) {
	r.DeviceClassName = e.DeviceClassName
	r.Selectors = e.Selectors
	r.AllocationMode = e.AllocationMode
	r.Count = e.Count
	r.AdminAccess = e.AdminAccess
	r.Tolerations = e.Tolerations
	r.Capacity = e.Capacity
	r.DerivedAttributes = e.DerivedAttributes
}
