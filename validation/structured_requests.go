package validation

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// requestsPath is where the requests of a claim's spec are.
func (w *write) requestsPath() *field.Path { return w.specPath.Child("devices", "requests") }

// requestField is the path of one field of one request, built only when an error needs it.
func (w *write) requestField(i int, name string) func() *field.Path {
	return func() *field.Path { return w.requestsPath().Index(i).Child(name) }
}

var requestsAtMost32 = Rule{
	Name:   "requests-at-most-32",
	Reason: "A claim has at most 32 requests, and may have none.",
	Source: "Kubernetes 1.31 DS1",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		if n := len(w.new.structured.Devices.Requests); n > v1alpha3.DeviceRequestsMaxSize {
			refuse(tooManyItems(w.requestsPath(), n, v1alpha3.DeviceRequestsMaxSize))
		}
	},
}

var requestNamesAreUnique = Rule{
	Name:   "request-names-are-unique",
	Reason: "Requests are referred to by their names: no two have the same.",
	Source: "Kubernetes 1.31 DS2",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		seen := make(map[string]bool, len(w.new.structured.Devices.Requests))
		for i, request := range w.new.structured.Devices.Requests {
			if seen[request.Name] {
				refuse(field.Duplicate(w.requestField(i, "name")(), shown(request.Name)))
			}
			seen[request.Name] = true
		}
	},
}

var requestNameIsLabel = Rule{
	Name:   "request-name-is-label",
	Reason: "The name of a request is a DNS label: at most 63 bytes, no dots.",
	Source: "Kubernetes 1.31 DS3",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		for i, request := range w.new.structured.Devices.Requests {
			checkLabel(request.Name, w.requestField(i, "name"), refuse)
		}
	},
}

var deviceClassNameIsSubdomain = Rule{
	Name:   "device-class-name-is-subdomain",
	Reason: "A request names its DeviceClass; the name of a class is a DNS subdomain.",
	Source: "Kubernetes 1.31 DS6",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		for i, request := range w.new.structured.Devices.Requests {
			at := w.requestField(i, "deviceClassName")
			if request.DeviceClassName == "" {
				refuse(field.Required(at(), ""))
			} else {
				checkSubdomain(request.DeviceClassName, at, refuse)
			}
		}
	},
}

var requestCountFitsMode = Rule{
	Name:   "request-count-fits-mode",
	Reason: "A request for an exact count wants at least one device; a request for all of them has no count.",
	Source: "Kubernetes 1.31 DS12 DS13",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		for i, request := range w.new.structured.Devices.Requests {
			switch {
			case request.AllocationMode == v1alpha3.DeviceAllocationModeAll && request.Count != 0:
				refuse(field.Invalid(w.requestField(i, "count")(), request.Count,
					fmt.Sprintf("must not be specified when allocationMode is '%s'", request.AllocationMode)))
			case request.AllocationMode == v1alpha3.DeviceAllocationModeExactCount && request.Count <= 0:
				refuse(field.Invalid(w.requestField(i, "count")(), request.Count, "must be greater than zero"))
			}
		}
	},
}

var requestAllocationModeIsKnown = Rule{
	Name:   "request-allocation-mode-is-known",
	Reason: "A request asks for an ExactCount of devices, which is the default, or for All.",
	Source: "Kubernetes 1.31 DS14",
	asked:  onSpec,
	check: func(w *write, refuse refuse) {
		for i, request := range w.new.structured.Devices.Requests {
			switch request.AllocationMode {
			case v1alpha3.DeviceAllocationModeAll, v1alpha3.DeviceAllocationModeExactCount:
			default:
				refuse(field.NotSupported(w.requestField(i, "allocationMode")(), shown(string(request.AllocationMode)),
					[]v1alpha3.DeviceAllocationMode{v1alpha3.DeviceAllocationModeAll, v1alpha3.DeviceAllocationModeExactCount}))
			}
		}
	},
}
