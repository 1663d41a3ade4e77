package v1beta2

import (
	"k8s.io/apimachinery/pkg/runtime"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// SetDefaults sets the defaults of a claim or a template, as API servers do when they decode one. It doesn't change
// other objects.
func SetDefaults(object runtime.Object) {
	switch o := object.(type) {
	case *ResourceClaim:
		v1.SetSpecDefaults(&o.Spec)
		v1.SetStatusDefaults(&o.Status)
	case *ResourceClaimTemplate:
		v1.SetSpecDefaults(&o.Spec.Spec)
	}
}
