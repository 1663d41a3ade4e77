package objects

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// V1Status is a random status of v1, v1beta1 and v1beta2 for a spec.
func (s Source) V1Status(spec v1.ResourceClaimSpec) v1.ResourceClaimStatus {
	status := v1.ResourceClaimStatus{}
	if s.some(6) {
		return status
	}
	names := references(spec)
	a := &v1.AllocationResult{NodeSelector: s.nodes()}
	if requests := allocatable(spec); len(requests) > 0 {
		for range s.count(v1.AllocationResultsMaxSize) {
			a.Devices.Results = append(a.Devices.Results, s.result(pick(s, requests...)))
		}
	}
	for range s.configCount() {
		a.Devices.Config = append(a.Devices.Config, v1.DeviceAllocationConfiguration{
			Source:   pick(s, v1.AllocationConfigSourceClass, v1.AllocationConfigSourceClaim),
			Requests: s.someOf(names), DeviceConfiguration: s.opaque(),
		})
	}
	if s.since(34) && s.some(2) {
		a.AllocationTimestamp = new(s.time())
	}
	status.Allocation = a
	most := v1alpha3.ResourceClaimReservedForMaxSize
	if s.oldest >= 32 {
		most = v1.ResourceClaimReservedForMaxSize
	}
	status.ReservedFor = s.consumers(most)
	if s.withControllers() {
		status.ClaimbridgeDeallocationRequested = len(status.ReservedFor) == 0 && s.some(3)
	}
	if s.since(32) && s.some(2) {
		status.Devices = s.reported(a.Devices.Results)
	}
	return status
}

// allocatable are the names that a result may have: of requests, or of alternatives where there are some.
func allocatable(spec v1.ResourceClaimSpec) (names []string) {
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

func (s Source) result(request string) v1.DeviceRequestAllocationResult {
	r := v1.DeviceRequestAllocationResult{
		Request: request, Driver: s.driver(), Pool: s.pool(), Device: s.label(),
		Tolerations: s.tolerations(),
	}
	if s.since(32) {
		r.AdminAccess = s.adminAccess()
	}
	if s.since(34) && s.some(4) {
		all := []string{"attached", "gpu.example.com/ready", "c-" + s.chars(3), "failed", "gpu.example.com/failed", "x"}
		r.BindingConditions = all[:1+s.IntN(3)]
		r.BindingFailureConditions = all[3 : 4+s.IntN(3)]
	}
	if s.since(34) && s.some(4) {
		r.ShareID = new(s.uuid())
		r.ConsumedCapacity = s.quantities()
	}
	if s.since(37) && s.some(8) {
		r.SkipNodeOperations = pick(s,
			[]v1.SkipNodeOperation{v1.SkipNodeOperationAll},
			[]v1.SkipNodeOperation{v1.SkipNodeOperationUnprepareResources},
			[]v1.SkipNodeOperation{v1.SkipNodeOperationPrepareResources, v1.SkipNodeOperationUnprepareResources},
		)
	}
	return r
}

func (s Source) configCount() int {
	if s.some(100) {
		return v1.AllocationConfigMaxSize - 1 - s.IntN(3) // one is for a controller
	}
	return s.count(5)
}
