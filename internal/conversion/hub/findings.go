package hub

import (
	"fmt"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/names"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// Finding is a problem with preserved data, or with an entry of claimbridge.dev, in an object that a client sent.
type Finding struct {
	// Field is the path of an annotation, a label, a field or a configuration.
	Field string
	// Problem describes it, without values.
	Problem string
}

// Problems of an entry that is not the one that the conversion reads.
const (
	hasOtherDriver         = "has a driver other than " + names.Domain + ", or names requests"
	hasOtherSourceOrDriver = "has a source other than FromClass or a driver other than " + names.Domain +
		", or names requests"
)

// FindInvalidEntries returns findings for entries of claimbridge.dev that are malformed or in the wrong list. The claim
// is in v1 and was converted from the given version. The caller omits a spec that was converted from v1alpha1 or
// v1alpha2.
func FindInvalidEntries(claim *V1, fromVersion string, o Options) []Finding {
	if !hasEntries(claim) {
		return nil
	}
	hadDevices := api.HasDevices(fromVersion)
	var findings []Finding
	if hadDevices {
		findings = findInvalidControllerEntries(claim, fromVersion == v1alpha3.GroupVersion.Version)
	}
	inV1alpha3 := claim.toV1alpha3(o)
	return append(findings, findInvalidClassicEntries(inV1alpha3, hadDevices, o)...)
}

// hasEntries reports whether a claim has configuration that looks like an entry of claimbridge.dev.
func hasEntries(claim *V1) bool {
	spec, allocation := configOf(claim)
	for i := range spec {
		if EntryKind(spec[i].Opaque) != "" {
			return true
		}
	}
	for i := range allocation {
		if EntryKind(allocation[i].Opaque) != "" {
			return true
		}
	}
	return false
}

func configOf(claim *V1) (spec []v1.DeviceClaimConfiguration, allocation []v1.DeviceAllocationConfiguration) {
	if claim.Spec != nil {
		spec = claim.Spec.Devices.Config
	}
	if claim.Status != nil && claim.Status.Allocation != nil {
		allocation = claim.Status.Allocation.Devices.Config
	}
	return spec, allocation
}

// findInvalidControllerEntries checks the entries for controllers. In a claim that was v1alpha3, the last entry is the
// one that the conversion added. Its controller may be an invalid driver name, which some releases accept.
func findInvalidControllerEntries(claim *V1, wasV1alpha3 bool) []Finding {
	spec, allocation := configOf(claim)
	_, specIndex := findControlPlaneClaimEntry(spec)
	last := len(spec) - 1
	if wasV1alpha3 && specIndex < 0 && last >= 0 && isEntry(spec[last].Opaque, KindControlPlaneClaim) {
		specIndex = last
	}
	_, allocationIndex := findControlPlaneAllocationEntry(allocation)
	last = len(allocation) - 1
	if wasV1alpha3 && allocationIndex < 0 && last >= 0 &&
		isAllocationEntry(&allocation[last], KindControlPlaneAllocation) {
		allocationIndex = last
	}
	specProblem := func(kind string, i int) string {
		switch {
		case kind == KindControlPlaneAllocation:
			return "belongs in status.allocation"
		case kind == KindControlPlaneClaim && i != specIndex:
			return "is malformed or a duplicate, " + hasOtherDriver
		}
		return ""
	}
	allocationProblem := func(kind string, i int) string {
		if kind == KindControlPlaneAllocation && i != allocationIndex {
			return "is malformed or a duplicate, " + hasOtherSourceOrDriver
		}
		return ""
	}
	return findInvalid(spec, allocation, specProblem, allocationProblem)
}

// findInvalidClassicEntries checks the entries for claims of v1alpha1 and v1alpha2, and chunks. In a claim that was
// converted from these versions, their rules check the values of the spec.
func findInvalidClassicEntries(claim *V1alpha3, hadDevices bool, o Options) []Finding {
	var spec []v1.DeviceClaimConfiguration
	if claim.Spec != nil {
		spec = claim.Spec.Devices.Config
	}
	var allocation []v1.DeviceAllocationConfiguration
	if claim.Status != nil && claim.Status.Allocation != nil {
		allocation = claim.Status.Allocation.Devices.Config
	}
	specEntry, specIndex := findClassicSpecEntry(spec, o)
	const invalidChunk = "is not a chunk of a split entry, or the version does not split entries"
	specProblem := func(kind string, i int) string {
		switch {
		case kind == KindChunk:
			return invalidChunk
		case kind == KindClassicSpec && i != specIndex:
			return "is malformed or a duplicate, " + hasOtherDriver
		case kind == KindClassicSpec && hadDevices:
			return specEntry.invalidValue()
		case kind == KindClassicAllocation || kind == KindResourceHandle:
			return "belongs in status.allocation"
		}
		return ""
	}
	allocationProblem := func(kind string, i int) string {
		c := &allocation[i]
		isValid := true
		switch kind {
		case KindChunk:
			return invalidChunk
		case KindClassicSpec:
			// With the source FromClaim it is the copy that the allocator of 1.31 makes.
			if c.Source == v1.AllocationConfigSourceClass {
				return "belongs in spec"
			}
		case KindResourceHandle:
			isValid = readResourceHandleEntry(c) != nil
		case KindClassicAllocation:
			isValid = isAllocationEntry(c, kind) &&
				objectjson.DecodeStrict(c.Opaque.Parameters.Raw, &ClassicAllocationEntry{})
		}
		if !isValid {
			return "is malformed, " + hasOtherSourceOrDriver
		}
		return ""
	}
	return findInvalid(spec, allocation, specProblem, allocationProblem)
}

// findInvalid calls a function for each configuration, with the kind of its entry and its index. The function returns
// the problem, or "".
func findInvalid(
	spec []v1.DeviceClaimConfiguration, allocation []v1.DeviceAllocationConfiguration,
	specProblem, allocationProblem func(kind string, index int) string,
) (findings []Finding) {
	add := func(list string, index int, kind, problem string) {
		if problem != "" {
			findings = append(findings, Finding{
				Field:   fmt.Sprintf("%s[%d].opaque.parameters", list, index),
				Problem: fmt.Sprintf("%s %s %s", EntryAPIVersion, kind, problem),
			})
		}
	}
	for i := range spec {
		kind := EntryKind(spec[i].Opaque)
		add("spec.devices.config", i, kind, specProblem(kind, i))
	}
	for i := range allocation {
		kind := EntryKind(allocation[i].Opaque)
		add("status.allocation.devices.config", i, kind, allocationProblem(kind, i))
	}
	return findings
}
