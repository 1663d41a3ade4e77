package v1alpha3

import "github.com/claimbridge/claimbridge/conversion/internal/chain"

// moves are what the step does, in words; a test holds the rows against it.
var moves = []chain.Move{
	{Old: "spec.resourceClassName", New: "spec.devices.requests[].deviceClassName", Note: "one request named claim"},
	{Old: "spec.parametersRef", New: "spec.devices.config[].opaque.parameters.parametersRef", Note: "kind ClassicClaimSpec, which no driver reads"},
	{Old: "spec.allocationMode", New: "spec.devices.config[].opaque.parameters.allocationMode", Note: "kind ClassicClaimSpec, which no driver reads, unless it is WaitForFirstConsumer"},
	{Old: "status.driverName", New: "status.allocation.controller", Note: "unless all handles are structured"},
	{Old: "status.allocation.availableOnNodes", New: "status.allocation.nodeSelector"},
	{Old: "status.allocation.resourceHandles[].driverName", New: "status.allocation.devices.results[].driver"},
	{Old: "status.allocation.resourceHandles[].data", New: "status.allocation.devices.config[].opaque.parameters.data", Note: "kind ResourceHandle, which drivers ignore unless they know that kind"},
	{Old: "status.allocation.resourceHandles[].structuredData.nodeName", New: "status.allocation.devices.results[].pool"},
	{Old: "status.allocation.resourceHandles[].structuredData.results[].namedResources.name", New: "status.allocation.devices.results[].device"},
	{Old: "status.allocation.resourceHandles[].structuredData.vendorClassParameters", New: "status.allocation.devices.config[].opaque.parameters", Note: "source FromClass"},
	{Old: "status.allocation.resourceHandles[].structuredData.vendorClaimParameters", New: "status.allocation.devices.config[].opaque.parameters", Note: "source FromClaim"},
	{Old: "status.allocation.resourceHandles[].structuredData.results[].vendorRequestParameters", New: "status.allocation.devices.config[].opaque.parameters", Note: "source FromClaim, for the request"},
	{Old: "status.allocation", New: "status.allocation.devices.config[].opaque.parameters.digest", Note: "kind ClassicAllocation: what else only a classic allocation says, such as that it cannot be shared"},
}
