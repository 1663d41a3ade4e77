package v1alpha3

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1beta1"
)

// The methods in this file convert types to those of a later version, which have at least the same fields. Tolerations
// are copied, because defaults are set in them. All other values are shared.

// ToV1beta1 returns the same request as a type of v1beta1.
func (r DeviceRequest) ToV1beta1() v1beta1.DeviceRequest {
	later := v1beta1.DeviceRequest{
		Name:            r.Name,
		DeviceClassName: r.DeviceClassName,
		Selectors:       r.Selectors,
		AllocationMode:  r.AllocationMode,
		Count:           r.Count,
		AdminAccess:     r.AdminAccess, Tolerations: slices.Clone(r.Tolerations),
	}
	if r.FirstAvailable != nil {
		later.FirstAvailable = make([]v1.DeviceSubRequest, len(r.FirstAvailable))
	}
	for i, a := range r.FirstAvailable {
		later.FirstAvailable[i] = v1.DeviceSubRequest{
			Name:            a.Name,
			DeviceClassName: a.DeviceClassName,
			Selectors:       a.Selectors,
			AllocationMode:  a.AllocationMode,
			Count:           a.Count,
			Tolerations:     slices.Clone(a.Tolerations),
		}
	}
	return later
}

// ToV1 returns the same constraint as a type of v1.
func (c DeviceConstraint) ToV1() v1.DeviceConstraint {
	return v1.DeviceConstraint{Requests: c.Requests, MatchAttribute: c.MatchAttribute}
}

// ToV1 returns the same device of an allocation as a type of v1.
func (r DeviceRequestAllocationResult) ToV1() v1.DeviceRequestAllocationResult {
	return v1.DeviceRequestAllocationResult{
		Request:     r.Request,
		Driver:      r.Driver,
		Pool:        r.Pool,
		Device:      r.Device,
		AdminAccess: r.AdminAccess,
		Tolerations: slices.Clone(r.Tolerations),
	}
}

// ToV1 returns the same report of a device as a type of v1.
func (d AllocatedDeviceStatus) ToV1() v1.AllocatedDeviceStatus {
	return v1.AllocatedDeviceStatus{
		Driver:      d.Driver,
		Pool:        d.Pool,
		Device:      d.Device,
		Conditions:  d.Conditions,
		Data:        d.Data,
		NetworkData: d.NetworkData,
	}
}
