package v1alpha2

import "k8s.io/apimachinery/pkg/runtime"

// SetDefaults sets the defaults of a claim or a template, as the API server of 1.30 does when it decodes one. It
// doesn't change other objects.
func SetDefaults(object runtime.Object) {
	switch o := object.(type) {
	case *ResourceClaim:
		SetSpecDefaults(&o.Spec)
	case *ResourceClaimTemplate:
		SetSpecDefaults(&o.Spec.Spec)
	}
}

// SetSpecDefaults sets an absent allocation mode to WaitForFirstConsumer.
func SetSpecDefaults(spec *ResourceClaimSpec) {
	if spec.AllocationMode == "" {
		spec.AllocationMode = AllocationModeWaitForFirstConsumer
	}
}
