package hub

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/names"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// ControlPlaneClaimEntry is the entry for spec.controller of v1alpha3: the driver whose controller allocates the claim.
type ControlPlaneClaimEntry struct {
	APIVersion string `json:"apiVersion"`
	Controller string `json:"controller"`
	Kind       string `json:"kind"`
}

// ControlPlaneAllocationEntry is the entry for status.allocation.controller of v1alpha3: the driver whose controller
// allocated the claim and deallocates it.
type ControlPlaneAllocationEntry struct {
	APIVersion string `json:"apiVersion"`
	Controller string `json:"controller"`
	Digest     string `json:"digest"` // of the allocation in v1alpha3, without its controller
	Kind       string `json:"kind"`
}

func newControlPlaneClaimEntry(controller string) v1.DeviceClaimConfiguration {
	return v1.DeviceClaimConfiguration{DeviceConfiguration: newEntry(&ControlPlaneClaimEntry{
		APIVersion: EntryAPIVersion,
		Controller: controller,
		Kind:       KindControlPlaneClaim,
	})}
}

func newControlPlaneAllocationEntry(allocation *v1alpha3.AllocationResult) v1.DeviceAllocationConfiguration {
	withoutController := *allocation
	withoutController.Controller = ""
	// The digest is of the configuration as the reverse conversion returns it.
	withoutController.Devices.Config = joinAllocationConfig(splitAllocationConfig(allocation.Devices.Config))
	return v1.DeviceAllocationConfiguration{
		Source: v1.AllocationConfigSourceClass,
		DeviceConfiguration: newEntry(&ControlPlaneAllocationEntry{
			APIVersion: EntryAPIVersion,
			Controller: allocation.Controller,
			Digest:     digestOfAllocation(&withoutController),
			Kind:       KindControlPlaneAllocation,
		}),
	}
}

// findControlPlaneClaimEntry returns the first valid entry and its index, or nil and -1.
func findControlPlaneClaimEntry(config []v1.DeviceClaimConfiguration) (*ControlPlaneClaimEntry, int) {
	for i, c := range config {
		if len(c.Requests) > 0 || !isEntry(c.Opaque, KindControlPlaneClaim) {
			continue
		}
		entry := &ControlPlaneClaimEntry{}
		if objectjson.DecodeStrict(c.Opaque.Parameters.Raw, entry) && names.IsDriver(entry.Controller) {
			return entry, i
		}
	}
	return nil, -1
}

// findControlPlaneAllocationEntry returns the last entry and its index, or nil and -1 if there is
// none or the last one is not valid.
func findControlPlaneAllocationEntry(config []v1.DeviceAllocationConfiguration) (*ControlPlaneAllocationEntry, int) {
	for i, c := range slices.Backward(config) {
		if !isAllocationEntry(&c, KindControlPlaneAllocation) {
			continue
		}
		entry := &ControlPlaneAllocationEntry{}
		if objectjson.DecodeStrict(c.Opaque.Parameters.Raw, entry) && names.IsDriver(entry.Controller) {
			return entry, i
		}
		break
	}
	return nil, -1
}

// digestOfAllocation returns the digest of an allocation with the defaults that an API server sets.
func digestOfAllocation(allocation *v1alpha3.AllocationResult) string {
	lacksDefaults := func(r v1alpha3.DeviceRequestAllocationResult) bool { return v1.AnyLacksOperator(r.Tolerations) }
	if slices.ContainsFunc(allocation.Devices.Results, lacksDefaults) {
		status := &v1alpha3.ResourceClaimStatus{Allocation: allocation.DeepCopy()}
		v1alpha3.SetStatusDefaults(status)
		allocation = status.Allocation
	}
	return Digest(allocation)
}
