package v1alpha3

import (
	"fmt"

	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/names"
)

// Findings of entries of ours in a spec and in an allocation: the problem of each, by its kind and where it is, or "".
func Findings(
	spec []v1alpha3.DeviceClaimConfiguration, allocation []v1alpha3.DeviceAllocationConfiguration,
	problem func(kind string, inSpec bool, i int) string,
) (findings []leftover.Finding) {
	look := func(path string, inSpec bool, i int, o *v1alpha3.OpaqueDeviceConfiguration) {
		kind := EntryKind(o)
		if problem := problem(kind, inSpec, i); problem != "" {
			findings = append(findings, leftover.Finding{
				Field:   fmt.Sprintf("%s[%d].opaque.parameters", path, i),
				Problem: fmt.Sprintf("%s %s %s", EntryAPIVersion, kind, problem),
			})
		}
	}
	for i := range spec {
		look("spec.devices.config", true, i, spec[i].Opaque)
	}
	for i := range allocation {
		look("status.allocation.devices.config", false, i, allocation[i].Opaque)
	}
	return findings
}

// inspect finds configuration entries of ours that are malformed or out of place.
func inspect(c chain.Claim, _ bool) []leftover.Finding {
	var spec []v1alpha3.DeviceClaimConfiguration
	if s, _ := c.Spec.(*v1alpha3.ResourceClaimSpec); s != nil {
		spec = s.Devices.Config
	}
	var allocation []v1alpha3.DeviceAllocationConfiguration
	if s, _ := c.Status.(*v1alpha3.ResourceClaimStatus); s != nil && s.Allocation != nil {
		allocation = s.Allocation.Devices.Config
	}
	_, good := findClassicSpec(spec, c.Complete)
	return Findings(spec, allocation, func(kind string, inSpec bool, i int) string {
		ofClass := !inSpec && allocation[i].Source == v1alpha3.AllocationConfigSourceClass
		switch {
		case kind == KindPart:
			return "has no place among parts that belong together, or is in a version that has none"
		case kind == KindClassicSpec && inSpec && i != good:
			return "is malformed, there twice, or not for driver " + names.Domain + " and all requests"
		case kind == KindClassicSpec && ofClass: // as FromClaim it is the allocator's copy of an entry of the spec
			return "belongs into spec"
		case kind != KindClassicAllocation && kind != KindResourceHandle:
			return ""
		case inSpec:
			return "belongs into status.allocation"
		case kind == KindResourceHandle && AsResourceHandle(&allocation[i]) != nil,
			kind == KindClassicAllocation && IsOfAllocation(&allocation[i], kind) &&
				kjson.ReadStrictly(allocation[i].Opaque.Parameters.Raw, &ClassicAllocation{}):
			return ""
		}
		return "is malformed, or not FromClass for driver " + names.Domain + " and all requests"
	})
}
