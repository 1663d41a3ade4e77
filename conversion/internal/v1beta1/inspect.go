package v1beta1

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	v1alpha3step "github.com/claimbridge/claimbridge/conversion/internal/v1alpha3"
)

// inspect finds configuration entries of this step's that are malformed or out of place. An entry
// that is the step's own work may name a controller that is none, which some releases let a claim
// say.
func inspect(c chain.Claim, own bool) []leftover.Finding {
	var spec []v1.DeviceClaimConfiguration
	if s, _ := c.Spec.(*v1beta1.ResourceClaimSpec); s != nil {
		spec = s.Devices.Config
	}
	var allocation []v1.DeviceAllocationConfiguration
	if s, _ := c.Status.(*v1.ResourceClaimStatus); s != nil && s.Allocation != nil {
		allocation = s.Allocation.Devices.Config
	}
	_, inSpecIs := findControlPlaneClaim(spec)
	if last := len(spec) - 1; own && inSpecIs < 0 && last >= 0 &&
		v1alpha3step.IsOurs(spec[last].Opaque, KindControlPlaneClaim) {
		inSpecIs = last
	}
	_, inAllocationIs := findControlPlaneAllocation(allocation)
	if last := len(allocation) - 1; own && inAllocationIs < 0 && last >= 0 &&
		v1alpha3step.IsOfAllocation(&allocation[last], KindControlPlaneAllocation) {
		inAllocationIs = last
	}
	return v1alpha3step.Findings(spec, allocation, func(kind string, inSpec bool, i int) string {
		switch {
		case kind == KindControlPlaneAllocation && inSpec:
			return "belongs into status.allocation"
		case kind == KindControlPlaneClaim && inSpec && i != inSpecIs:
			return "is malformed, there twice, or not for driver claimbridge.dev and all requests"
		case kind == KindControlPlaneAllocation && !inSpec && i != inAllocationIs:
			return "is malformed, there twice, or not FromClass for driver claimbridge.dev and all requests"
		}
		return ""
	})
}
