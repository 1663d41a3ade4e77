package v1alpha2

import "k8s.io/apimachinery/pkg/runtime"

// SetDefaults completes a claim or a template as the API server of 1.30 did when it decoded one. It
// leaves other objects alone.
func SetDefaults(object runtime.Object) {
	switch o := object.(type) {
	case *ResourceClaim:
		SetSpecDefaults(&o.Spec)
	case *ResourceClaimTemplate:
		SetSpecDefaults(&o.Spec.Spec)
	}
}

// SetSpecDefaults completes a spec: without a mode it is allocated for its first consumer.
func SetSpecDefaults(spec *ResourceClaimSpec) {
	if spec.AllocationMode == "" {
		spec.AllocationMode = AllocationModeWaitForFirstConsumer
	}
}
