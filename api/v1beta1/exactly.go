package v1beta1

import v1 "github.com/claimbridge/claimbridge/api/v1"

// Exactly is what v1 has in exactly of what a request asks for.
func (r *DeviceRequest) Exactly() v1.ExactDeviceRequest {
	return v1.ExactDeviceRequest{
		DeviceClassName: r.DeviceClassName, Selectors: r.Selectors, AllocationMode: r.AllocationMode, Count: r.Count,
		AdminAccess: r.AdminAccess, Tolerations: r.Tolerations, Capacity: r.Capacity, DerivedAttributes: r.DerivedAttributes,
	}
}

// SetExactly makes the request ask for what v1 has in exactly.
func (r *DeviceRequest) SetExactly(e v1.ExactDeviceRequest) {
	r.DeviceClassName, r.Selectors, r.AllocationMode, r.Count = e.DeviceClassName, e.Selectors, e.AllocationMode, e.Count
	r.AdminAccess, r.Tolerations, r.Capacity, r.DerivedAttributes = e.AdminAccess, e.Tolerations, e.Capacity, e.DerivedAttributes
}
