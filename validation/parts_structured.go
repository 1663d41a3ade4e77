package validation

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
)

// Rules see the specs and allocations of all versions with devices in the types of v1, as API
// servers from 1.33 on do. Up to 1.32 what a request asks for is always there, which is what
// exactly says.

func partsOfV1(spec *v1.ResourceClaimSpec, status *v1.ResourceClaimStatus, _ release) parts {
	if slices.ContainsFunc(spec.Devices.Requests, v1.LacksDefaults) {
		spec = spec.DeepCopy()
		v1.SetSpecDefaults(spec)
	}
	return structuredParts(spec, status)
}

func partsOfV1beta1(spec *v1beta1.ResourceClaimSpec, status *v1.ResourceClaimStatus, judge release) parts {
	return structuredParts(&v1.ResourceClaimSpec{Devices: v1.DeviceClaim{
		Requests:    requestsOf(spec.Devices.Requests, judge),
		Constraints: spec.Devices.Constraints,
		Config:      spec.Devices.Config,
	}}, status)
}

func partsOfV1alpha3(spec *v1alpha3.ResourceClaimSpec, status *v1alpha3.ResourceClaimStatus, judge release) parts {
	devices := v1.DeviceClaim{
		Requests:    requestsOf(each(spec.Devices.Requests, v1alpha3.DeviceRequest.InV1beta1), judge),
		Constraints: each(spec.Devices.Constraints, v1alpha3.DeviceConstraint.InV1), Config: spec.Devices.Config,
	}
	p := structuredParts(&v1.ResourceClaimSpec{Devices: devices}, statusOfV1alpha3(status))
	if judge > release1_31 {
		p.use.deallocationRequested = false
		return p // these releases do not have what is left
	}
	p.controller = spec.Controller
	if status.Allocation != nil {
		p.allocationController = status.Allocation.Controller
	}
	return p
}

// structuredParts of a spec with its defaults, and a status that may lack some.
func structuredParts(spec *v1.ResourceClaimSpec, status *v1.ResourceClaimStatus) parts {
	p := parts{
		structured: spec, allocation: status.Allocation, devices: status.Devices,
		use: use{consumers: status.ReservedFor, deallocationRequested: status.ClaimbridgeDeallocationRequested},
	}
	if p.allocation == nil {
		return p
	}
	p.use.allocated = true
	if slices.ContainsFunc(p.allocation.Devices.Results, func(r v1.DeviceRequestAllocationResult) bool {
		return v1.LackOperators(r.Tolerations)
	}) {
		whole := &v1.ResourceClaimStatus{Allocation: p.allocation.DeepCopy()}
		v1.SetStatusDefaults(whole)
		p.allocation = whole.Allocation
	}
	p.nodes = p.allocation.NodeSelector
	return p
}
