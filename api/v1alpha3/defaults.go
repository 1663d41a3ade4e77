package v1alpha3

import (
	"k8s.io/apimachinery/pkg/runtime"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// SetDefaults sets the defaults of a claim or a template as the API server of 1.31 does, and the defaults of later
// fields as that of 1.33 does. It doesn't change other objects.
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
		setRequestDefaults(&spec.Devices.Requests[i])
	}
}

// setRequestDefaults sets the defaults of a request: an absent mode becomes ExactCount, and an absent count 1. A
// request that has alternatives instead of a class gets neither, as in 1.33.
func setRequestDefaults(request *DeviceRequest) {
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

// SetStatusDefaults sets the defaults of the tolerations of results.
func SetStatusDefaults(status *ResourceClaimStatus) {
	if status.Allocation == nil {
		return
	}
	for i := range status.Allocation.Devices.Results {
		v1.SetTolerationDefaults(status.Allocation.Devices.Results[i].Tolerations)
	}
}
