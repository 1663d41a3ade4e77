package objects

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// v1alpha3Spec is a random spec of Kubernetes 1.31 to 1.33.
func (s Source) v1alpha3Spec() v1alpha3.ResourceClaimSpec {
	later := toV1beta1(s.until(33).spec())
	spec := v1alpha3.ResourceClaimSpec{Devices: v1alpha3.DeviceClaim{Config: later.Devices.Config}}
	for _, r := range later.Devices.Requests {
		request := v1alpha3.DeviceRequest{
			Name: r.Name, DeviceClassName: r.DeviceClassName, Selectors: r.Selectors, AllocationMode: r.AllocationMode,
			Count: r.Count, AdminAccess: r.AdminAccess, Tolerations: r.Tolerations,
		}
		for _, a := range r.FirstAvailable {
			request.FirstAvailable = append(request.FirstAvailable, v1alpha3.DeviceSubRequest{
				Name: a.Name, DeviceClassName: a.DeviceClassName, Selectors: a.Selectors, AllocationMode: a.AllocationMode,
				Count: a.Count, Tolerations: a.Tolerations,
			})
		}
		spec.Devices.Requests = append(spec.Devices.Requests, request)
	}
	for _, c := range later.Devices.Constraints {
		spec.Devices.Constraints = append(spec.Devices.Constraints, v1alpha3.DeviceConstraint{Requests: c.Requests, MatchAttribute: c.MatchAttribute})
	}
	if s.withControllers() && s.some(3) {
		spec.Controller = s.driver()
	}
	return spec
}

// V1alpha3Status is a random status of Kubernetes 1.31 to 1.33 for a spec.
func (s Source) V1alpha3Status(spec v1alpha3.ResourceClaimSpec) v1alpha3.ResourceClaimStatus {
	names := v1.ResourceClaimSpec{} // all that a status needs
	for _, r := range spec.Devices.Requests {
		request := v1.DeviceRequest{Name: r.Name}
		for _, a := range r.FirstAvailable {
			request.FirstAvailable = append(request.FirstAvailable, v1.DeviceSubRequest{Name: a.Name})
		}
		names.Devices.Requests = append(names.Devices.Requests, request)
	}
	later := s.until(33).V1Status(names)
	status := v1alpha3.ResourceClaimStatus{
		Allocation: s.v1alpha3Allocation(later.Allocation), ReservedFor: later.ReservedFor,
		DeallocationRequested: later.ClaimbridgeDeallocationRequested,
	}
	for _, d := range later.Devices {
		status.Devices = append(status.Devices, v1alpha3.AllocatedDeviceStatus{
			Driver: d.Driver, Pool: d.Pool, Device: d.Device, Conditions: d.Conditions, Data: d.Data, NetworkData: d.NetworkData,
		})
	}
	return status
}

func (s Source) v1alpha3Allocation(later *v1.AllocationResult) *v1alpha3.AllocationResult {
	if later == nil {
		return nil
	}
	a := &v1alpha3.AllocationResult{NodeSelector: later.NodeSelector, Devices: v1alpha3.DeviceAllocationResult{Config: later.Devices.Config}}
	for _, r := range later.Devices.Results {
		a.Devices.Results = append(a.Devices.Results, v1alpha3.DeviceRequestAllocationResult{
			Request: r.Request, Driver: r.Driver, Pool: r.Pool, Device: r.Device, AdminAccess: r.AdminAccess, Tolerations: r.Tolerations,
		})
	}
	if s.withControllers() && s.some(3) {
		a.Controller = s.driver()
	}
	return a
}
