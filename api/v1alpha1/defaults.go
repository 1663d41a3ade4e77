package v1alpha1

import (
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

// SetDefaults completes a claim or a template as the API server of 1.26 did when it decoded one. It
// leaves other objects alone.
func SetDefaults(object runtime.Object) {
	switch o := object.(type) {
	case *ResourceClaim:
		v1alpha2.SetSpecDefaults(&o.Spec)
	case *ResourceClaimTemplate:
		v1alpha2.SetSpecDefaults(&o.Spec.Spec)
	}
}
