package v1alpha3

import "k8s.io/apimachinery/pkg/runtime"

// SetDefaults completes a claim or a template as the API server of 1.31 did when it decoded one. It leaves other objects
// alone.
func SetDefaults(object runtime.Object) {
	switch o := object.(type) {
	case *ResourceClaim:
		SetSpecDefaults(&o.Spec)
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

// SetRequestDefaults completes a request: without a mode it asks for an exact count, and without a count for one.
func SetRequestDefaults(request *DeviceRequest) {
	if request.AllocationMode == "" {
		request.AllocationMode = DeviceAllocationModeExactCount
	}
	if request.AllocationMode == DeviceAllocationModeExactCount && request.Count == 0 {
		request.Count = 1
	}
}
