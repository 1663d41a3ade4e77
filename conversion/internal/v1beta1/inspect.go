package v1beta1

import (
	"fmt"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	v1alpha3step "github.com/claimbridge/claimbridge/conversion/internal/v1alpha3"
)

// inspect finds configuration entries of this step's that are malformed or out of place. An entry that is the step's own work may name a
// controller that is none, which some releases let a claim say.
func inspect(c chain.Claim, own bool) (findings []leftover.Finding) {
	find := func(path string, i int, kind, problem string) {
		findings = append(findings, leftover.Finding{
			Field: fmt.Sprintf("%s[%d].opaque.parameters", path, i), Problem: fmt.Sprintf("%s %s %s", EntryAPIVersion, kind, problem),
		})
	}
	if spec, _ := c.Spec.(*v1beta1.ResourceClaimSpec); spec != nil {
		const path = "spec.devices.config"
		config := spec.Devices.Config
		_, good := findControlPlaneClaim(config)
		if last := len(config) - 1; own && good < 0 && last >= 0 && isOurs(config[last].Opaque, KindControlPlaneClaim) {
			good = last
		}
		for i, entry := range config {
			switch kind := v1alpha3step.EntryKind(entry.Opaque); {
			case kind == KindControlPlaneAllocation:
				find(path, i, kind, "belongs into status.allocation")
			case kind == KindControlPlaneClaim && i != good:
				find(path, i, kind, "is malformed, there twice, or not for driver claimbridge.dev and all requests")
			}
		}
	}
	status, _ := c.Status.(*v1.ResourceClaimStatus)
	if status == nil || status.Allocation == nil {
		return findings
	}
	const path = "status.allocation.devices.config"
	config := status.Allocation.Devices.Config
	_, good := findControlPlaneAllocation(config)
	if last := len(config) - 1; own && good < 0 && last >= 0 && isControlPlaneAllocation(&config[last]) {
		good = last
	}
	for i, entry := range config {
		if kind := v1alpha3step.EntryKind(entry.Opaque); kind == KindControlPlaneAllocation && i != good {
			find(path, i, kind, "is malformed, there twice, or not FromClass for driver claimbridge.dev and all requests")
		}
	}
	return findings
}
