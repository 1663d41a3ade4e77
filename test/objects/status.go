package objects

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// V1Status returns a random status for a spec. The types of v1beta1 and v1beta2 have the same fields.
func (s Source) V1Status(spec v1.ResourceClaimSpec) v1.ResourceClaimStatus {
	status := v1.ResourceClaimStatus{}
	if s.oneIn(6) {
		return status
	}
	requests := requestReferences(spec)
	a := &v1.AllocationResult{NodeSelector: s.nodeSelector()}
	if allocatable := allocatableRequests(spec); len(allocatable) > 0 {
		for range s.count(v1.AllocationResultsMaxSize) {
			a.Devices.Results = append(a.Devices.Results, s.result(pick(s, allocatable...)))
		}
	}
	for range s.configCount() {
		a.Devices.Config = append(a.Devices.Config, v1.DeviceAllocationConfiguration{
			Source:   pick(s, v1.AllocationConfigSourceClass, v1.AllocationConfigSourceClaim),
			Requests: s.subset(requests), DeviceConfiguration: s.opaqueConfiguration(),
		})
	}
	if s.since(34) && s.oneIn(2) {
		a.AllocationTimestamp = new(s.timestamp())
	}
	status.Allocation = a
	maxConsumers := v1alpha3.ResourceClaimReservedForMaxSize
	if s.oldest >= 32 {
		maxConsumers = v1.ResourceClaimReservedForMaxSize
	}
	status.ReservedFor = s.consumers(maxConsumers)
	if s.hasControllers() {
		status.ClaimbridgeDeallocationRequested = len(status.ReservedFor) == 0 && s.oneIn(3)
	}
	if s.since(32) && s.oneIn(2) {
		status.Devices = s.deviceStatuses(a.Devices.Results)
	}
	return status
}

// allocatableRequests returns the request names that an allocation result may have. For a request with alternatives,
// these are the names of the alternatives.
func allocatableRequests(spec v1.ResourceClaimSpec) (names []string) {
	for _, r := range spec.Devices.Requests {
		for _, alternative := range r.FirstAvailable {
			names = append(names, r.Name+"/"+alternative.Name)
		}
		if r.FirstAvailable == nil {
			names = append(names, r.Name)
		}
	}
	return names
}

// result returns the allocation of a device for a request.
func (s Source) result(request string) v1.DeviceRequestAllocationResult {
	r := v1.DeviceRequestAllocationResult{
		Request: request, Driver: s.driver(), Pool: s.pool(), Device: s.label(),
		Tolerations: s.tolerations(),
	}
	if s.since(32) {
		r.AdminAccess = s.adminAccess()
	}
	if s.since(34) && s.oneIn(4) {
		conditions := []string{"attached", "gpu.example.com/ready", "c-" + s.chars(3)}
		r.BindingConditions = conditions[:1+s.IntN(3)]
		failures := []string{"failed", "gpu.example.com/failed", "x"}
		r.BindingFailureConditions = failures[:1+s.IntN(3)]
	}
	if s.since(34) && s.oneIn(4) {
		r.ShareID = new(s.uuid())
		r.ConsumedCapacity = s.quantities()
	}
	if s.since(37) && s.oneIn(8) {
		r.SkipNodeOperations = pick(s,
			[]v1.SkipNodeOperation{v1.SkipNodeOperationAll},
			[]v1.SkipNodeOperation{v1.SkipNodeOperationUnprepareResources},
			[]v1.SkipNodeOperation{v1.SkipNodeOperationPrepareResources, v1.SkipNodeOperationUnprepareResources},
		)
	}
	return r
}

// configCount returns a number of configurations: usually small, sometimes near the limit. One is left for the
// configuration that conversion adds for a controller.
func (s Source) configCount() int {
	if s.oneIn(100) {
		return v1.AllocationConfigMaxSize - 1 - s.IntN(3)
	}
	return s.count(5)
}
