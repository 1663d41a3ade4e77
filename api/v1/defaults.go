package v1

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
)

// SetDefaults completes a claim or a template as API servers do when they decode one. It leaves other objects alone.
func SetDefaults(object runtime.Object) {
	switch o := object.(type) {
	case *ResourceClaim:
		SetSpecDefaults(&o.Spec)
		SetStatusDefaults(&o.Status)
	case *ResourceClaimTemplate:
		SetSpecDefaults(&o.Spec.Spec)
	}
}

// SetSpecDefaults completes the requests of a spec, in place.
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

// SetSubRequestDefaults completes the alternatives of a request.
func SetSubRequestDefaults(alternatives []DeviceSubRequest) {
	for i := range alternatives {
		SetModeDefaults(&alternatives[i].AllocationMode, &alternatives[i].Count)
		SetTolerationDefaults(alternatives[i].Tolerations)
	}
}

// SetModeDefaults completes what is asked for: without a mode an exact count, and without a count one.
func SetModeDefaults(mode *DeviceAllocationMode, count *int64) {
	if *mode == "" {
		*mode = DeviceAllocationModeExactCount
	}
	if *mode == DeviceAllocationModeExactCount && *count == 0 {
		*count = 1
	}
}

// SetTolerationDefaults completes tolerations: without an operator values are compared.
func SetTolerationDefaults(tolerations []DeviceToleration) {
	for i := range tolerations {
		if tolerations[i].Operator == "" {
			tolerations[i].Operator = DeviceTolerationOpEqual
		}
	}
}

// LacksDefaults reports whether a request has something that [SetSpecDefaults] completes.
func LacksDefaults(r DeviceRequest) bool {
	if e := r.Exactly; e != nil && (LacksMode(e.AllocationMode, e.Count) || LackOperators(e.Tolerations)) {
		return true
	}
	return slices.ContainsFunc(r.FirstAvailable, func(a DeviceSubRequest) bool {
		return LacksMode(a.AllocationMode, a.Count) || LackOperators(a.Tolerations)
	})
}

// LacksMode reports whether [SetModeDefaults] has something to complete.
func LacksMode(mode DeviceAllocationMode, count int64) bool {
	return mode == "" || mode == DeviceAllocationModeExactCount && count == 0
}

// LackOperators reports whether [SetTolerationDefaults] has something to complete.
func LackOperators(tolerations []DeviceToleration) bool {
	return slices.ContainsFunc(tolerations, func(t DeviceToleration) bool { return t.Operator == "" })
}

// SetStatusDefaults completes the tolerations of results, the only thing in a status that has a default.
func SetStatusDefaults(status *ResourceClaimStatus) {
	if status.Allocation == nil {
		return
	}
	for i := range status.Allocation.Devices.Results {
		SetTolerationDefaults(status.Allocation.Devices.Results[i].Tolerations)
	}
}
