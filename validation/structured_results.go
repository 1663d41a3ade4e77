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

// ofEachResult is a rule about a name of each device of an allocation. number is that of upstream's check.
func ofEachResult(name, reason, number, path string, check func(w *write, r *v1.DeviceRequestAllocationResult, at func() *field.Path, refuse refuse)) Rule {
	return Rule{Name: name, Reason: reason, Source: "Kubernetes 1.31+ " + number, asked: onStatus, check: func(w *write, refuse refuse) {
		results := w.results()
		for i := range results {
			check(w, &results[i], resultField(i, path), refuse)
		}
	}}
}

var resultDriverIsValid = ofEachResult("result-driver-is-valid", "An allocated device has a driver, by whose name the kubelet finds the plugin.",
	"DT12", "driver", func(w *write, r *v1.DeviceRequestAllocationResult, at func() *field.Path, refuse refuse) {
		w.checkDriverName(r.Driver, at, refuse)
	})

var resultPoolIsValid = ofEachResult("result-pool-is-valid", "An allocated device is of a pool, named by DNS subdomains with slashes between them, at most 253 bytes.",
	"DT13", "pool", func(_ *write, r *v1.DeviceRequestAllocationResult, at func() *field.Path, refuse refuse) {
		checkPoolName(r.Pool, at, refuse)
	})

var resultDeviceIsLabel = ofEachResult("result-device-is-label", "An allocated device has a name, a DNS label.",
	"DT14", "device", func(_ *write, r *v1.DeviceRequestAllocationResult, at func() *field.Path, refuse refuse) {
		checkLabel(r.Device, at, refuse)
	})
