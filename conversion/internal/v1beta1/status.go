package v1beta1

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	v1step "github.com/claimbridge/claimbridge/conversion/internal/v1"
)

// The status:
//
//	v1alpha3                               v1beta1
//	allocation.devices.results[]           the same; what 1.34 and later releases added to a result is hidden
//	allocation.devices.config[]            the same; entries of ours that are larger than 10,240 bytes are in parts
//	allocation.nodeSelector                the same
//	allocation.controller                  an entry of kind ControlPlaneAllocation in allocation.devices.config; without
//	                                         one the scheduler allocated
//	reservedFor                            the same
//	deallocationRequested                  claimbridgeDeallocationRequested
//	devices[]                              the same; those of a share of a device are hidden, and so is
//	                                         allocation.allocationTimestamp

func upStatus(old *v1alpha3.ResourceClaimStatus, f chain.Form) *v1.ResourceClaimStatus {
	new := &v1.ResourceClaimStatus{
		Allocation:                       upAllocation(old.Allocation),
		ReservedFor:                      old.ReservedFor,
		Devices:                          chain.List(old.Devices, v1alpha3.AllocatedDeviceStatus.InV1),
		ClaimbridgeDeallocationRequested: old.DeallocationRequested,
	}
	if f.GetsDefaults() {
		v1.SetStatusDefaults(new)
	}
	return new
}

func upAllocation(old *v1alpha3.AllocationResult) *v1.AllocationResult {
	if old == nil {
		return nil
	}
	new := &v1.AllocationResult{NodeSelector: old.NodeSelector, Devices: v1.DeviceAllocationResult{
		Results: chain.List(old.Devices.Results, v1alpha3.DeviceRequestAllocationResult.InV1),
		Config:  splitAllocation(old.Devices.Config),
	}}
	if old.Controller != "" {
		new.Devices.Config = append(slices.Clip(new.Devices.Config), controlPlaneAllocation(old))
	}
	return new
}

func downStatus(new *v1.ResourceClaimStatus, f chain.Form) *v1alpha3.ResourceClaimStatus {
	new = v1step.CompletedStatus(new, f)
	old := &v1alpha3.ResourceClaimStatus{
		ReservedFor:           new.ReservedFor,
		Devices:               devicesDown(new.Devices),
		DeallocationRequested: new.ClaimbridgeDeallocationRequested,
	}
	if new.Allocation != nil {
		old.Allocation = allocationDown(new.Allocation)
	}
	return old
}

// allocationDown reads an entry of the controller that is of this allocation; another one is foreign configuration.
func allocationDown(new *v1.AllocationResult) *v1alpha3.AllocationResult {
	old := &v1alpha3.AllocationResult{NodeSelector: new.NodeSelector, Devices: v1alpha3.DeviceAllocationResult{
		Results: chain.List(new.Devices.Results, resultDown),
	}}
	config := new.Devices.Config
	if found, at := findControlPlaneAllocation(config); found != nil {
		old.Devices.Config = joinAllocation(slices.Concat(config[:at], config[at+1:]))
		if found.Digest == leftover.Digest(visible(old)) {
			old.Controller = found.Controller
			return old
		}
	}
	old.Devices.Config = joinAllocation(config)
	return old
}

// visible is an allocation as a digest sees it: with the defaults that an API server sets.
func visible(a *v1alpha3.AllocationResult) *v1alpha3.AllocationResult {
	for _, r := range a.Devices.Results {
		if slices.ContainsFunc(r.Tolerations, func(t v1alpha3.DeviceToleration) bool { return t.Operator == "" }) {
			status := &v1alpha3.ResourceClaimStatus{Allocation: a.DeepCopy()}
			v1alpha3.SetStatusDefaults(status)
			return status.Allocation
		}
	}
	return a
}
