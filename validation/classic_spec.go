package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

var resourceClassNameIsSubdomain = Rule{
	Name:   "resource-class-name-is-subdomain",
	Reason: "A claim names its ResourceClass; the name of a class is a DNS subdomain, so an empty one is invalid too.",
	Source: "Kubernetes 1.26 CS1, 1.30 CS1",
	asked:  onSpec,
	check: func(w *write, refuse refuser) {
		checkSubdomain(w.new.classic.ResourceClassName, placeOf(w.specPath).child("resourceClassName"), refuse)
	},
}

var parametersRefIsComplete = Rule{
	Name:   "parameters-ref-is-complete",
	Reason: "A reference to parameters has a kind and a name. Its API group is not checked.",
	Source: "Kubernetes 1.26 CS2, 1.30 CS2",
	asked:  onSpec,
	check: func(w *write, refuse refuser) {
		ref := w.new.classic.ParametersRef
		if ref == nil {
			return
		}
		if ref.Kind == "" {
			refuse(field.Required(w.specPath.Child("parametersRef", "kind"), ""))
		}
		if ref.Name == "" {
			refuse(field.Required(w.specPath.Child("parametersRef", "name"), ""))
		}
	},
}

var claimAllocationModeIsKnown = Rule{
	Name:   "claim-allocation-mode-is-known",
	Reason: "A claim is allocated Immediate or WaitForFirstConsumer, which is the default.",
	Source: "Kubernetes 1.26 CS4, 1.30 CS4",
	asked:  onSpec,
	check: func(w *write, refuse refuser) {
		modes := []v1alpha2.AllocationMode{
			v1alpha2.AllocationModeImmediate,
			v1alpha2.AllocationModeWaitForFirstConsumer,
		}
		refuseUnknown(w.new.classic.AllocationMode, modes, placeOf(w.specPath).child("allocationMode"), refuse)
	},
}
