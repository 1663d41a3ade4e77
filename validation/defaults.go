package validation

import (
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// setClassicDefaults does what the API servers of 1.26 and 1.30 did on decoding.
func setClassicDefaults(spec *v1alpha2.ResourceClaimSpec) {
	if spec.AllocationMode == "" {
		spec.AllocationMode = v1alpha2.AllocationModeWaitForFirstConsumer
	}
}

// setStructuredDefaults does what the API server of 1.31 did on decoding.
func setStructuredDefaults(spec *v1alpha3.ResourceClaimSpec) {
	for i := range spec.Devices.Requests {
		request := &spec.Devices.Requests[i]
		if request.AllocationMode == "" {
			request.AllocationMode = v1alpha3.DeviceAllocationModeExactCount
		}
		if request.AllocationMode == v1alpha3.DeviceAllocationModeExactCount && request.Count == 0 {
			request.Count = 1
		}
	}
}
