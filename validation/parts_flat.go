package validation

import (
	"reflect"
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
		exactly[i] = r.Exactly()
		if isExact(&exactly[i], len(r.FirstAvailable) > 0, judge) {
			requests[i].Exactly = &exactly[i]
			if e := &exactly[i]; judge == release1_31 && e.AdminAccess != nil && !*e.AdminAccess {
				e.AdminAccess = nil // in 1.31 it is false or true, and false says the same as nothing
			}
			if r.DeviceClassName != "" || setsDefaultsAlways(len(r.FirstAvailable) > 0, judge) {
				v1.SetModeDefaults(&exactly[i].AllocationMode, &exactly[i].Count)
			}
		}
		if v1.LacksDefaults(requests[i]) {
			requests[i] = *requests[i].DeepCopy()
			v1.SetSubRequestDefaults(requests[i].FirstAvailable)
			if e := requests[i].Exactly; e != nil {
				v1.SetTolerationDefaults(e.Tolerations)
			}
		}
	}
	return requests
}

// isExact reports whether a request asks for something exactly. From 1.33 on one of the fields that the release has is
// set then. The fields that 1.31 did not have change nothing of what it says about a request without them.
func isExact(e *v1.ExactDeviceRequest, hasAlternatives bool, judge release) bool {
	if setsDefaultsAlways(hasAlternatives, judge) {
		return true
	}
	exactly := reflect.ValueOf(e).Elem()
	for i := range exactly.NumField() {
		isUnknown := func(f gatedField) bool {
			return len(f.ofExactly) > 0 && f.ofExactly[0] == i && f.isUnknownTo(judge)
		}
		if !exactly.Field(i).IsZero() && !slices.ContainsFunc(gatedFields, isUnknown) {
			return true
		}
	}
	return false
}

// setsDefaultsAlways reports whether a request gets a mode and a count although it has no class.
func setsDefaultsAlways(hasAlternatives bool, judge release) bool {
	return judge == release1_32 || judge == release1_31 && !hasAlternatives
}

func statusOfV1alpha3(status *v1alpha3.ResourceClaimStatus) *v1.ResourceClaimStatus {
	s := &v1.ResourceClaimStatus{
		ReservedFor: status.ReservedFor, ClaimbridgeDeallocationRequested: status.DeallocationRequested,
		Devices: each(status.Devices, v1alpha3.AllocatedDeviceStatus.InV1),
	}
	if a := status.Allocation; a != nil {
		s.Allocation = &v1.AllocationResult{NodeSelector: a.NodeSelector, Devices: v1.DeviceAllocationResult{
			Results: each(a.Devices.Results, v1alpha3.DeviceRequestAllocationResult.InV1), Config: a.Devices.Config,
		}}
	}
	return s
}

func each[From, To any](list []From, convert func(From) To) []To {
	if list == nil {
		return nil
	}
	converted := make([]To, len(list))
	for i, item := range list {
		converted[i] = convert(item)
	}
	return converted
}
