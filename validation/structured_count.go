package validation

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

var requestCountFitsMode = handwritten.rule("request-count-fits-mode",
	"Who asks for an exact count wants at least one device; who asks for all of them gives no count.",
	"Kubernetes 1.31+ DS12 DS13", func(_ *write, x *wanted, at place, refuse refuser) {
		switch {
		case x.AllocationMode == v1.DeviceAllocationModeAll && x.Count != 0:
			refuse(field.Invalid(at.path().Child("count"), x.Count,
				fmt.Sprintf("must not be specified when allocationMode is '%s'", x.AllocationMode)))
		case x.AllocationMode == v1.DeviceAllocationModeExactCount && x.Count <= 0:
			refuse(field.Invalid(at.path().Child("count"), x.Count, "must be greater than zero"))
		}
	})

// requestAllocationModeIsKnown: an empty mode, which is what a request without a class has in
// v1beta1, is missing to those checks only that are not declarative.
var requestAllocationModeIsKnown = requested.rule("request-allocation-mode-is-known",
	"What is asked for is an ExactCount of devices, which is the default, or All.",
	"Kubernetes 1.31+ DS14", func(w *write, x *wanted, at place, refuse refuser) {
		looked := x.handwritten
		if x.AllocationMode != "" {
			at, looked = w.covered(x, func(old *v1.DeviceSubRequest) bool {
				return old.AllocationMode == x.AllocationMode
			})
		}
		if looked {
			modes := []v1.DeviceAllocationMode{v1.DeviceAllocationModeAll, v1.DeviceAllocationModeExactCount}
			refuseUnknown(x.AllocationMode, modes, at.child("allocationMode"), refuse)
		}
	})
