package v1alpha3

import (
	"fmt"

	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/names"
)

// inspect finds configuration entries of ours that are malformed or out of place.
func inspect(c chain.Claim, _ bool) (findings []leftover.Finding) {
	find := func(path string, i int, kind, problem string) {
		findings = append(findings, leftover.Finding{
			Field: fmt.Sprintf("%s[%d].opaque.parameters", path, i), Problem: fmt.Sprintf("%s %s %s", EntryAPIVersion, kind, problem),
		})
	}
	if spec, _ := c.Spec.(*v1alpha3.ResourceClaimSpec); spec != nil {
		const path = "spec.devices.config"
		_, good := findClassicSpec(spec.Devices.Config, c.Complete)
		for i, entry := range spec.Devices.Config {
			switch kind := EntryKind(entry.Opaque); kind {
			case KindPart:
				find(path, i, kind, "has no place among parts that belong together, or is in a version that has none")
			case KindClassicAllocation, KindResourceHandle:
				find(path, i, kind, "belongs into status.allocation")
			case KindClassicSpec:
				if i != good {
					find(path, i, kind, "is malformed, there twice, or not for driver "+names.Domain+" and all requests")
				}
			}
		}
	}
	status, _ := c.Status.(*v1alpha3.ResourceClaimStatus)
	if status == nil || status.Allocation == nil {
		return findings
	}
	const path = "status.allocation.devices.config"
	for i, entry := range status.Allocation.Devices.Config {
		switch kind := EntryKind(entry.Opaque); kind {
		case KindPart:
			find(path, i, kind, "has no place among parts that belong together, or is in a version that has none")
		case KindClassicSpec: // as FromClaim it is the allocator's copy of an entry of the spec
			if entry.Source == v1alpha3.AllocationConfigSourceClass {
				find(path, i, kind, "belongs into spec")
			}
		case KindResourceHandle:
			if AsResourceHandle(&entry) == nil {
				find(path, i, kind, "is malformed, or not FromClass for driver "+names.Domain+" and all requests")
			}
		case KindClassicAllocation:
			if !kjson.ReadStrictly(entry.Opaque.Parameters.Raw, &ClassicAllocation{}) || !isClassicAllocation(entry) {
				find(path, i, kind, "is malformed, or not FromClass for driver "+names.Domain+" and all requests")
			}
		}
	}
	return findings
}
