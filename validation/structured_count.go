package validation

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

var requestCountFitsMode = Rule{
	Name:   "request-count-fits-mode",
	Reason: "Who asks for an exact count wants at least one device; who asks for all of them gives no count.",
	Source: "Kubernetes 1.31+ DS12 DS13",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		for _, x := range w.wanted() {
			switch {
			case !x.handwritten:
			case x.AllocationMode == v1.DeviceAllocationModeAll && x.Count != 0:
				refuse(field.Invalid(w.wantedField(x, "count"), x.Count,
					fmt.Sprintf("must not be specified when allocationMode is '%s'", x.AllocationMode)))
			case x.AllocationMode == v1.DeviceAllocationModeExactCount && x.Count <= 0:
				refuse(field.Invalid(w.wantedField(x, "count"), x.Count, "must be greater than zero"))
			}
		}
	},
}

// requestAllocationModeIsKnown: an empty mode, which is what a request without a class has in v1beta1, is missing to those
// checks only that are not declarative.
var requestAllocationModeIsKnown = Rule{
	Name:   "request-allocation-mode-is-known",
	Reason: "What is asked for is an ExactCount of devices, which is the default, or All.",
	Source: "Kubernetes 1.31+ DS14",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		for _, x := range w.wanted() {
			switch x.AllocationMode {
			case v1.DeviceAllocationModeAll, v1.DeviceAllocationModeExactCount:
				continue
			}
			var at *field.Path
			if x.AllocationMode != "" {
				at = w.covered(x, "allocationMode", func(old *v1.DeviceSubRequest) bool { return old.AllocationMode == x.AllocationMode })
			} else if x.handwritten {
				at = w.wantedField(x, "allocationMode")
			}
			if at != nil {
				refuse(field.NotSupported(at, shown(string(x.AllocationMode)),
					[]v1.DeviceAllocationMode{v1.DeviceAllocationModeAll, v1.DeviceAllocationModeExactCount}))
			}
		}
	},
}
