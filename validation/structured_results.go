package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

var resultsPath = allocationPath.Child("devices", "results")

// allocated devices of the object after the write; none when there is no allocation.
func (w *write) allocated() v1alpha3.DeviceAllocationResult {
	if w.new.allocation == nil {
		return v1alpha3.DeviceAllocationResult{}
	}
	return w.new.allocation.Devices
}

func allocationField(name string) func() *field.Path {
	return func() *field.Path { return allocationPath.Child(name) }
}

func resultField(i int, name string) func() *field.Path {
	return func() *field.Path { return resultsPath.Index(i).Child(name) }
}

var resultsAtMost32 = Rule{
	Name:   "results-at-most-32",
	Reason: "An allocation has at most 32 devices. The same device may be there twice, and there may be none.",
	Source: "Kubernetes 1.31 DT10",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		if n := len(w.allocated().Results); n > v1alpha3.AllocationResultsMaxSize {
			refuse(tooManyItems(resultsPath, n, v1alpha3.AllocationResultsMaxSize))
		}
	},
}

var resultDriverIsValid = Rule{
	Name:   "result-driver-is-valid",
	Reason: "An allocated device has a driver, by whose name the kubelet finds the plugin.",
	Source: "Kubernetes 1.31 DT12",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		for i, result := range w.allocated().Results {
			checkDriverName(result.Driver, resultField(i, "driver"), refuse)
		}
	},
}

var resultPoolIsValid = Rule{
	Name:   "result-pool-is-valid",
	Reason: "An allocated device is of a pool, named by DNS subdomains with slashes between them, at most 253 bytes.",
	Source: "Kubernetes 1.31 DT13",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		for i, result := range w.allocated().Results {
			checkPoolName(result.Pool, resultField(i, "pool"), refuse)
		}
	},
}

var resultDeviceIsLabel = Rule{
	Name:   "result-device-is-label",
	Reason: "An allocated device has a name, a DNS label.",
	Source: "Kubernetes 1.31 DT14",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		for i, result := range w.allocated().Results {
			checkLabel(result.Device, resultField(i, "device"), refuse)
		}
	},
}
