package v1beta1

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	v1alpha3step "github.com/claimbridge/claimbridge/conversion/internal/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/names"
)

// EntryAPIVersion of the parameters in configuration entries of ours.
const EntryAPIVersion = v1alpha3step.EntryAPIVersion

// Kinds of configuration entries of this step, with their place. The driver of all is claimbridge.dev.
const (
	KindControlPlaneClaim      = "ControlPlaneClaim"      // spec.devices.config
	KindControlPlaneAllocation = "ControlPlaneAllocation" // status.allocation.devices.config, FromClass
	KindPart                   = v1alpha3step.KindPart    // both
)

// ControlPlaneClaim names the driver whose controller is meant to allocate. Members stand in the order of their names.
type ControlPlaneClaim struct {
	APIVersion string `json:"apiVersion"`
	Controller string `json:"controller"`
	Kind       string `json:"kind"`
}

// ControlPlaneAllocation names the driver whose controller allocated, and has to deallocate.
type ControlPlaneAllocation struct {
	APIVersion string `json:"apiVersion"`
	Controller string `json:"controller"`
	Digest     string `json:"digest"` // of the allocation in v1alpha3, without its controller
	Kind       string `json:"kind"`
}

func controlPlaneAllocation(old *v1alpha3.AllocationResult) v1.DeviceAllocationConfiguration {
	without := *old
	without.Controller = ""
	without.Devices.Config = joinAllocation(splitAllocation(old.Devices.Config)) // as it comes back
	entry := v1alpha3step.EntryOf(&ControlPlaneAllocation{
		APIVersion: EntryAPIVersion,
		Controller: old.Controller,
		Kind:       KindControlPlaneAllocation,
		Digest:     leftover.Digest(visible(&without)),
	})
	return v1.DeviceAllocationConfiguration{Source: v1.AllocationConfigSourceClass, DeviceConfiguration: entry}
}

// findControlPlaneClaim finds the entry, the first one if there are several. One that is malformed
// is foreign configuration.
func findControlPlaneClaim(config []v1.DeviceClaimConfiguration) (*ControlPlaneClaim, int) {
	for i, c := range config {
		if len(c.Requests) > 0 || !v1alpha3step.IsOurs(c.Opaque, KindControlPlaneClaim) {
			continue
		}
		entry := &ControlPlaneClaim{}
		if kjson.ReadStrictly(c.Opaque.Parameters.Raw, entry) && names.IsDriver(entry.Controller) {
			return entry, i
		}
	}
	return nil, -1
}

// findControlPlaneAllocation finds the entry, the last one if there are several. One that is
// malformed is foreign configuration.
func findControlPlaneAllocation(config []v1.DeviceAllocationConfiguration) (*ControlPlaneAllocation, int) {
	for i := len(config) - 1; i >= 0; i-- {
		if !v1alpha3step.IsOfAllocation(&config[i], KindControlPlaneAllocation) {
			continue
		}
		entry := &ControlPlaneAllocation{}
		if kjson.ReadStrictly(config[i].Opaque.Parameters.Raw, entry) && names.IsDriver(entry.Controller) {
			return entry, i
		}
		break
	}
	return nil, -1
}
