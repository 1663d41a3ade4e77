package validation

import v1 "github.com/claimbridge/claimbridge/api/v1"

var resultsPath = allocationPath.Child("devices", "results")

// keepsAllocation reports whether a release does not look at the content of the allocation, since
// it was there before and cannot change: 1.32 and later.
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

// results are the devices of an allocation.
var results = items[*v1.DeviceRequestAllocationResult]{
	asked: onStatus,
	each: func(w *write, check check[*v1.DeviceRequestAllocationResult], refuse refuser) {
		checkList(w, judged(w, w.allocated().Results, v1.AllocationResultsMaxSize), placeOf(resultsPath), check, refuse)
	},
}

var resultsAtMost32 = atMost(v1.AllocationResultsMaxSize, "results-at-most-32",
	"An allocation has at most 32 devices. The same device may be there twice, and there may be none.",
	"Kubernetes 1.31+ DT10", onStatus, func(w *write) (int, place) {
		return len(w.allocated().Results), placeOf(resultsPath)
	})

var resultDriverIsValid = results.rule("result-driver-is-valid",
	"An allocated device has a driver, by whose name the kubelet finds the plugin.",
	"Kubernetes 1.31+ DT12", func(w *write, r *v1.DeviceRequestAllocationResult, at place, refuse refuser) {
		w.checkDriverName(r.Driver, at.child("driver"), refuse)
	})

var resultPoolIsValid = results.rule("result-pool-is-valid",
	"An allocated device is of a pool, named by DNS subdomains with slashes between them, at most 253 bytes.",
	"Kubernetes 1.31+ DT13", func(_ *write, r *v1.DeviceRequestAllocationResult, at place, refuse refuser) {
		checkPoolName(r.Pool, at.child("pool"), refuse)
	})

var resultDeviceIsLabel = results.rule("result-device-is-label", "An allocated device has a name, a DNS label.",
	"Kubernetes 1.31+ DT14", func(_ *write, r *v1.DeviceRequestAllocationResult, at place, refuse refuser) {
		checkLabel(r.Device, at.child("device"), refuse)
	})
