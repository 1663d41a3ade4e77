package v1alpha3

import (
	"k8s.io/apimachinery/pkg/runtime"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// SetDefaults completes a claim or a template as the API server of 1.31 did when it decoded one,
// and what later releases added as 1.33 did. It leaves other objects alone.
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
		SetRequestDefaults(&spec.Devices.Requests[i])
	}
}

// SetRequestDefaults completes a request: without a mode it asks for an exact count, and without a
// count for one. A request that has alternatives instead of a class gets neither, as in 1.33.
func SetRequestDefaults(request *DeviceRequest) {
	if request.DeviceClassName != "" || len(request.FirstAvailable) == 0 {
		v1.SetModeDefaults(&request.AllocationMode, &request.Count)
	}
	v1.SetTolerationDefaults(request.Tolerations)
	for i := range request.FirstAvailable {
		alternative := &request.FirstAvailable[i]
		v1.SetModeDefaults(&alternative.AllocationMode, &alternative.Count)
		v1.SetTolerationDefaults(alternative.Tolerations)
	}
}

// SetStatusDefaults completes the tolerations of results.
func SetStatusDefaults(status *ResourceClaimStatus) {
	if status.Allocation == nil {
		return
	}
	for i := range status.Allocation.Devices.Results {
		v1.SetTolerationDefaults(status.Allocation.Devices.Results[i].Tolerations)
	}
}
