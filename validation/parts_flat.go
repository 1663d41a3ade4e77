package validation

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
)

// requestsOf a version in which what a request asks for stands beside its name, with the defaults of a release.
func requestsOf(flat []v1beta1.DeviceRequest, judge release) []v1.DeviceRequest {
	if flat == nil {
		return nil
	}
	requests, exactly := make([]v1.DeviceRequest, len(flat)), make([]v1.ExactDeviceRequest, len(flat))
	for i := range flat {
		r := &flat[i]
		requests[i] = v1.DeviceRequest{Name: r.Name, FirstAvailable: r.FirstAvailable}
		exactly[i] = v1.ExactDeviceRequest{
			DeviceClassName: r.DeviceClassName, Selectors: r.Selectors, AllocationMode: r.AllocationMode, Count: r.Count,
			AdminAccess: r.AdminAccess, Tolerations: r.Tolerations, Capacity: r.Capacity, DerivedAttributes: r.DerivedAttributes,
		}
		if isExact(&exactly[i], len(r.FirstAvailable) > 0, judge) {
			requests[i].Exactly = &exactly[i]
			if r.DeviceClassName != "" || setsDefaultsAlways(len(r.FirstAvailable) > 0, judge) {
				v1.SetModeDefaults(&exactly[i].AllocationMode, &exactly[i].Count)
			}
		}
		if lacksOperatorsOrModes(requests[i]) {
			requests[i] = completed(requests[i])
		}
	}
	return requests
}

// isExact reports whether a request asks for something exactly. From 1.33 on one of the fields that the release has is
// set then. The fields that 1.31 did not have change nothing of what it says about a request without them.
func isExact(e *v1.ExactDeviceRequest, hasAlternatives bool, judge release) bool {
	return judge == release1_32 || judge == release1_31 && !hasAlternatives ||
		e.DeviceClassName != "" || e.Selectors != nil || e.AllocationMode != "" || e.Count != 0 ||
		e.AdminAccess != nil || e.Tolerations != nil || e.Capacity != nil && judge >= release1_34 || e.DerivedAttributes != nil && judge >= release1_37
}

// setsDefaultsAlways reports whether a request gets a mode and a count although it has no class.
func setsDefaultsAlways(hasAlternatives bool, judge release) bool {
	return judge == release1_32 || judge == release1_31 && !hasAlternatives
}

// lacksOperatorsOrModes reports whether something below a request lacks a default.
func lacksOperatorsOrModes(r v1.DeviceRequest) bool {
	return r.Exactly != nil && v1.LackOperators(r.Exactly.Tolerations) || slices.ContainsFunc(r.FirstAvailable, func(a v1.DeviceSubRequest) bool {
		return v1.LacksMode(a.AllocationMode, a.Count) || v1.LackOperators(a.Tolerations)
	})
}

// completed is a request with defaults in lists of its own.
func completed(r v1.DeviceRequest) v1.DeviceRequest {
	r.FirstAvailable = slices.Clone(r.FirstAvailable)
	for i := range r.FirstAvailable {
		r.FirstAvailable[i].Tolerations = slices.Clone(r.FirstAvailable[i].Tolerations)
	}
	v1.SetSubRequestDefaults(r.FirstAvailable)
	if r.Exactly != nil {
		r.Exactly.Tolerations = slices.Clone(r.Exactly.Tolerations)
		v1.SetTolerationDefaults(r.Exactly.Tolerations)
	}
	return r
}

func requestOfV1alpha3(r v1alpha3.DeviceRequest) v1beta1.DeviceRequest {
	flat := v1beta1.DeviceRequest{
		Name: r.Name, DeviceClassName: r.DeviceClassName, Selectors: r.Selectors, AllocationMode: r.AllocationMode, Count: r.Count,
		AdminAccess: r.AdminAccess, Tolerations: r.Tolerations,
	}
	for _, a := range r.FirstAvailable {
		flat.FirstAvailable = append(flat.FirstAvailable, v1.DeviceSubRequest{
			Name: a.Name, DeviceClassName: a.DeviceClassName, Selectors: a.Selectors, AllocationMode: a.AllocationMode, Count: a.Count,
			Tolerations: a.Tolerations,
		})
	}
	return flat
}

func statusOfV1alpha3(status *v1alpha3.ResourceClaimStatus) *v1.ResourceClaimStatus {
	s := &v1.ResourceClaimStatus{ReservedFor: status.ReservedFor, ClaimbridgeDeallocationRequested: status.DeallocationRequested}
	if a := status.Allocation; a != nil {
		s.Allocation = &v1.AllocationResult{NodeSelector: a.NodeSelector, Devices: v1.DeviceAllocationResult{
			Results: make([]v1.DeviceRequestAllocationResult, len(a.Devices.Results)), Config: a.Devices.Config,
		}}
		for i, r := range a.Devices.Results {
			s.Allocation.Devices.Results[i] = v1.DeviceRequestAllocationResult{
				Request: r.Request, Driver: r.Driver, Pool: r.Pool, Device: r.Device, AdminAccess: r.AdminAccess, Tolerations: r.Tolerations,
			}
		}
	}
	for _, d := range status.Devices {
		s.Devices = append(s.Devices, v1.AllocatedDeviceStatus{
			Driver: d.Driver, Pool: d.Pool, Device: d.Device, Conditions: d.Conditions, Data: d.Data, NetworkData: d.NetworkData,
		})
	}
	return s
}
