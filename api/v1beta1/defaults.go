package v1beta1

import (
	"k8s.io/apimachinery/pkg/runtime"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// SetDefaults sets the defaults of a claim or a template, as API servers do when they decode one. It doesn't change
// other objects.
func SetDefaults(object runtime.Object) {
	switch o := object.(type) {
	case *ResourceClaim:
		SetSpecDefaults(&o.Spec)
		v1.SetStatusDefaults(&o.Status)
	case *ResourceClaimTemplate:
		SetSpecDefaults(&o.Spec.Spec)
	}
}

// SetSpecDefaults sets the defaults of the requests of a spec, in place. A request without a class gets neither mode
// nor count, because it may have alternatives.
func SetSpecDefaults(spec *ResourceClaimSpec) {
	for i := range spec.Devices.Requests {
		r := &spec.Devices.Requests[i]
		if r.DeviceClassName != "" {
			v1.SetModeDefaults(&r.AllocationMode, &r.Count)
		}
		v1.SetTolerationDefaults(r.Tolerations)
		v1.SetSubRequestDefaults(r.FirstAvailable)
	}
}
