package v1beta1

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
)

// Items of the newer lists, as v1alpha3 has them.

func requestDown(new v1beta1.DeviceRequest) v1alpha3.DeviceRequest {
	return v1alpha3.DeviceRequest{
		Name:            new.Name,
		DeviceClassName: new.DeviceClassName,
		Selectors:       new.Selectors,
		AllocationMode:  new.AllocationMode,
		Count:           new.Count, AdminAccess: new.AdminAccess, Tolerations: tolerationsDown(new.Tolerations),
		FirstAvailable: chain.List(new.FirstAvailable, alternativeDown),
	}
}

func alternativeDown(new v1.DeviceSubRequest) v1alpha3.DeviceSubRequest {
	return v1alpha3.DeviceSubRequest{
		Name:            new.Name,
		DeviceClassName: new.DeviceClassName,
		Selectors:       new.Selectors,
		AllocationMode:  new.AllocationMode,
		Count:           new.Count, Tolerations: tolerationsDown(new.Tolerations),
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

// tolerationsDown leaves out those of the effect None, which 1.35 added: it does nothing, and a
// rule of 1.33 refuses it. The copy may be changed.
func tolerationsDown(new []v1.DeviceToleration) []v1.DeviceToleration {
	if !slices.ContainsFunc(new, isLaterToleration) {
		return slices.Clone(new)
	}
	var old []v1.DeviceToleration // nil rather than empty
	for _, t := range new {
		if !isLaterToleration(t) {
			old = append(old, t)
		}
	}
	return old
}

func isLaterToleration(t v1.DeviceToleration) bool { return t.Effect == v1.DeviceTaintEffectNone }

func resultDown(new v1.DeviceRequestAllocationResult) v1alpha3.DeviceRequestAllocationResult {
	return v1alpha3.DeviceRequestAllocationResult{
		Request: new.Request, Driver: new.Driver, Pool: new.Pool, Device: new.Device, AdminAccess: new.AdminAccess,
		Tolerations: tolerationsDown(new.Tolerations),
	}
}

// devicesDown leaves out what is reported of shares: in v1alpha3 there can be one entry a device.
func devicesDown(new []v1.AllocatedDeviceStatus) []v1alpha3.AllocatedDeviceStatus {
	if new == nil {
		return nil
	}
	old := make([]v1alpha3.AllocatedDeviceStatus, 0, len(new))
	for _, d := range new {
		if d.ShareID == nil {
			old = append(old, v1alpha3.AllocatedDeviceStatus{
				Driver:      d.Driver,
				Pool:        d.Pool,
				Device:      d.Device,
				Conditions:  d.Conditions,
				Data:        d.Data,
				NetworkData: d.NetworkData,
			})
		}
	}
	return old
}
