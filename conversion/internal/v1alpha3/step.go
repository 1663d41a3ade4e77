// Package v1alpha3 is the step from v1alpha2 to v1alpha3 and back, the cliff: v1alpha2 (Kubernetes
// 1.27 to 1.30) speaks of a class and of handles, v1alpha3 (1.31) of requests, devices and their
// configuration. The two halves are spec.go and status.go, each with its table. Spec never depends
// on status.
package v1alpha3

import (
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	classic "github.com/claimbridge/claimbridge/conversion/internal/v1alpha2"
)

// Step from v1alpha2.
var Step = chain.Step{
	Old:      v1alpha2.GroupVersion.Version,
	OldParts: chain.PartsOf[v1alpha2.ResourceClaimSpec, v1alpha2.ResourceClaimStatus](),
	New:      v1alpha3.GroupVersion.Version,
	NewParts: chain.PartsOf[v1alpha3.ResourceClaimSpec, v1alpha3.ResourceClaimStatus](),

	Up:   up,
	Down: chain.Halves(downSpec, downStatus),

	NamesNoRequest: true,

	Mark:      func(s any) *string { return &s.(*v1alpha2.ResourceClaimStatus).ClaimbridgeLeftover },
	Defaults:  classic.Defaults,
	Allocated: func(s any) bool { return s.(*v1alpha2.ResourceClaimStatus).Allocation != nil },
	RefuseOld: classic.RefuseHandles,
	Lost:      lost,
	Inspect:   inspect,
	Moves:     moves,
}

// lost are the fields of a claim that v1alpha3 neither shows nor preserves. In a text without a
// name no entry says whether the claim is shareable, since only a whole allocation says so by
// having no such entry. An API server converts fragments of managed fields as well; nothing of the
// object is lost by these.
func lost(old chain.Claim) (fields []string) {
	status, _ := old.Status.(*v1alpha2.ResourceClaimStatus)
	switch {
	case status == nil:
		return nil
	case status.Allocation == nil && status.DriverName != "":
		return []string{"status.driverName"}
	case status.Allocation == nil:
		return nil
	}
	fields = classic.UnacceptedHandles(status.Allocation.ResourceHandles)
	if old.AsWritten && !old.Complete && status.Allocation.Shareable {
		fields = append(fields, "status.allocation.shareable")
	}
	return fields
}

var upHalves = chain.Halves(upSpec, upStatus)

// up says which request an allocation is for: a whole claim without a class has none.
func up(old chain.Claim) chain.Claim {
	spec, _ := old.Spec.(*v1alpha2.ResourceClaimSpec)
	if old.Request == "" && (spec == nil || !old.Complete || spec.ResourceClassName != "") {
		old.Request = requestName
	}
	return upHalves(old).For("")
}

// moves are what the step does, in words; a test holds the rows against it.
var moves = []chain.Move{
	{Old: "spec.resourceClassName", New: "spec.devices.requests[].deviceClassName", Note: "one request named claim"},
	{
		Old:  "spec.parametersRef",
		New:  "spec.devices.config[].opaque.parameters.parametersRef",
		Note: "kind ClassicClaimSpec, which no driver reads",
	},
	{
		Old:  "spec.allocationMode",
		New:  "spec.devices.config[].opaque.parameters.allocationMode",
		Note: "kind ClassicClaimSpec, which no driver reads, unless it is WaitForFirstConsumer",
	},
	{Old: "status.driverName", New: "status.allocation.controller", Note: "unless all handles are structured"},
	{Old: "status.allocation.availableOnNodes", New: "status.allocation.nodeSelector"},
	{Old: "status.allocation.resourceHandles[].driverName", New: "status.allocation.devices.results[].driver"},
	{
		Old:  "status.allocation.resourceHandles[].data",
		New:  "status.allocation.devices.config[].opaque.parameters.data",
		Note: "kind ResourceHandle, which drivers ignore unless they know that kind",
	},
	{
		Old: "status.allocation.resourceHandles[].structuredData.nodeName",
		New: "status.allocation.devices.results[].pool",
	},
	{
		Old: "status.allocation.resourceHandles[].structuredData.results[].namedResources.name",
		New: "status.allocation.devices.results[].device",
	},
	{
		Old:  "status.allocation.resourceHandles[].structuredData.vendorClassParameters",
		New:  "status.allocation.devices.config[].opaque.parameters",
		Note: "source FromClass",
	},
	{
		Old:  "status.allocation.resourceHandles[].structuredData.vendorClaimParameters",
		New:  "status.allocation.devices.config[].opaque.parameters",
		Note: "source FromClaim",
	},
	{
		Old:  "status.allocation.resourceHandles[].structuredData.results[].vendorRequestParameters",
		New:  "status.allocation.devices.config[].opaque.parameters",
		Note: "source FromClaim, for the request",
	},
	{
		Old:  "status.allocation",
		New:  "status.allocation.devices.config[].opaque.parameters.digest",
		Note: "kind ClassicAllocation: what else only a classic allocation says, such as that it cannot be shared",
	},
}
