package v1

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
)

// SetDefaults sets the defaults of a claim or a template, as API servers do when they decode one. It doesn't change
// other objects.
func SetDefaults(object runtime.Object) {
	switch o := object.(type) {
	case *ResourceClaim:
		SetSpecDefaults(&o.Spec)
		SetStatusDefaults(&o.Status)
	case *ResourceClaimTemplate:
		SetSpecDefaults(&o.Spec.Spec)
	}
}

// SetSpecDefaults sets the defaults of the requests of a spec, in place.
func SetSpecDefaults(spec *ResourceClaimSpec) {
	for i := range spec.Devices.Requests {
		r := &spec.Devices.Requests[i]
		if r.Exactly != nil {
			SetModeDefaults(&r.Exactly.AllocationMode, &r.Exactly.Count)
			SetTolerationDefaults(r.Exactly.Tolerations)
		}
		SetSubRequestDefaults(r.FirstAvailable)
	}
}

// SetSubRequestDefaults sets the defaults of the alternatives of a request.
func SetSubRequestDefaults(alternatives []DeviceSubRequest) {
	for i := range alternatives {
		SetModeDefaults(&alternatives[i].AllocationMode, &alternatives[i].Count)
		SetTolerationDefaults(alternatives[i].Tolerations)
	}
}

// SetModeDefaults sets an absent mode to ExactCount and, in that mode, an absent count to 1.
func SetModeDefaults(mode *DeviceAllocationMode, count *int64) {
	if *mode == "" {
		*mode = DeviceAllocationModeExactCount
	}
	if *mode == DeviceAllocationModeExactCount && *count == 0 {
		*count = 1
	}
}

// SetTolerationDefaults sets an absent operator of tolerations to Equal.
func SetTolerationDefaults(tolerations []DeviceToleration) {
	for i := range tolerations {
		if tolerations[i].Operator == "" {
			tolerations[i].Operator = DeviceTolerationOpEqual
		}
	}
}

// LacksDefaults reports whether [SetSpecDefaults] would change a request.
func LacksDefaults(r DeviceRequest) bool {
	if e := r.Exactly; e != nil && (lacksMode(e.AllocationMode, e.Count) || AnyLacksOperator(e.Tolerations)) {
		return true
	}
	return slices.ContainsFunc(r.FirstAvailable, func(a DeviceSubRequest) bool {
		return lacksMode(a.AllocationMode, a.Count) || AnyLacksOperator(a.Tolerations)
	})
}

// lacksMode reports whether [SetModeDefaults] would change the mode or the count.
func lacksMode(mode DeviceAllocationMode, count int64) bool {
	return mode == "" || mode == DeviceAllocationModeExactCount && count == 0
}

// AnyLacksOperator reports whether [SetTolerationDefaults] would change any of the tolerations.
func AnyLacksOperator(tolerations []DeviceToleration) bool {
	return slices.ContainsFunc(tolerations, func(t DeviceToleration) bool { return t.Operator == "" })
}

// SetStatusDefaults sets the defaults of the tolerations of results, which are the only defaults in a status.
func SetStatusDefaults(status *ResourceClaimStatus) {
	if status.Allocation == nil {
		return
	}
	for i := range status.Allocation.Devices.Results {
		SetTolerationDefaults(status.Allocation.Devices.Results[i].Tolerations)
	}
}
