package v1alpha1

import (
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

// SetDefaults sets the defaults of a claim or a template, as the API server of 1.26 does when it decodes one. It
// doesn't change other objects.
func SetDefaults(object runtime.Object) {
	switch o := object.(type) {
	case *ResourceClaim:
		v1alpha2.SetSpecDefaults(&o.Spec)
	case *ResourceClaimTemplate:
		v1alpha2.SetSpecDefaults(&o.Spec.Spec)
	}
}
