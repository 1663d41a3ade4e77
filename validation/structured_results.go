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

var resultsAtMost32 = atMost(v1.AllocationResultsMaxSize, "results-at-most-32",
	"An allocation has at most 32 devices. The same device may be there twice, and there may be none.",
	"Kubernetes 1.31+ DT10", onStatus, func(w *write) (int, *field.Path) { return len(w.allocated().Results), resultsPath })

// ofEachResult is a rule about one device of an allocation, whatever the others are.
func ofEachResult(name, reason, source string, check func(w *write, i int, r *v1.DeviceRequestAllocationResult, refuse refuse)) Rule {
	return Rule{Name: name, Reason: reason, Source: source, asked: onStatus, check: func(w *write, refuse refuse) {
		results := w.results()
		for i := range results {
			check(w, i, &results[i], refuse)
		}
	}}
}

var resultDriverIsValid = ofEachResult("result-driver-is-valid", "An allocated device has a driver, by whose name the kubelet finds the plugin.",
	"Kubernetes 1.31+ DT12", func(w *write, i int, r *v1.DeviceRequestAllocationResult, refuse refuse) {
		w.checkDriverName(r.Driver, resultField(i, "driver"), refuse)
	})

var resultPoolIsValid = ofEachResult("result-pool-is-valid", "An allocated device is of a pool, named by DNS subdomains with slashes between them, at most 253 bytes.",
	"Kubernetes 1.31+ DT13", func(_ *write, i int, r *v1.DeviceRequestAllocationResult, refuse refuse) {
		checkPoolName(r.Pool, resultField(i, "pool"), refuse)
	})

var resultDeviceIsLabel = ofEachResult("result-device-is-label", "An allocated device has a name, a DNS label.",
	"Kubernetes 1.31+ DT14", func(_ *write, i int, r *v1.DeviceRequestAllocationResult, refuse refuse) {
		checkLabel(r.Device, resultField(i, "device"), refuse)
	})
