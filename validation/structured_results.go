package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

var resultsPath = allocationPath.Child("devices", "results")

// keepsAllocation reports whether a release does not look at the content of the allocation, since it was there before and
// cannot change: 1.32 and later.
func (w *write) keepsAllocation() bool {
	return w.keeps || w.release >= release1_32 && w.old.use.allocated && !w.contentOnly
}

var nothingAllocated v1.DeviceAllocationResult

// allocated devices of the object after the write, if they are to be judged; none when there is no allocation.
func (w *write) allocated() *v1.DeviceAllocationResult {
	if w.new.allocation == nil || w.keepsAllocation() {
		return &nothingAllocated
	}
	return &w.new.allocation.Devices
}

// results to judge.
func (w *write) results() []v1.DeviceRequestAllocationResult {
	return judged(w, w.allocated().Results, v1.AllocationResultsMaxSize)
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
	Source: "Kubernetes 1.31 to 1.37 DT10",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		if n := len(w.allocated().Results); n > v1.AllocationResultsMaxSize {
			refuse(w.tooMany(resultsPath, n, v1.AllocationResultsMaxSize))
		}
	},
}

var resultDriverIsValid = Rule{
	Name:   "result-driver-is-valid",
	Reason: "An allocated device has a driver, by whose name the kubelet finds the plugin.",
	Source: "Kubernetes 1.31 to 1.37 DT12",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		for i := range w.results() {
			w.checkDriverName(w.results()[i].Driver, resultField(i, "driver"), refuse)
		}
	},
}

var resultPoolIsValid = Rule{
	Name:   "result-pool-is-valid",
	Reason: "An allocated device is of a pool, named by DNS subdomains with slashes between them, at most 253 bytes.",
	Source: "Kubernetes 1.31 to 1.37 DT13",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		for i := range w.results() {
			checkPoolName(w.results()[i].Pool, resultField(i, "pool"), refuse)
		}
	},
}

var resultDeviceIsLabel = Rule{
	Name:   "result-device-is-label",
	Reason: "An allocated device has a name, a DNS label.",
	Source: "Kubernetes 1.31 to 1.37 DT14",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		for i := range w.results() {
			checkLabel(w.results()[i].Device, resultField(i, "device"), refuse)
		}
	},
}
