package conversion

import "github.com/claimbridge/claimbridge/api"

// move is a field of a version, the path of its content in the next version, and a note. A field without a row keeps
// its path.
type move struct{ Old, New, Note string }

// moves between a version, which is the key, and the next one, in the order of the older version.
var moves = map[string][]move{
	"v1alpha1": {{
		Old:  "status.allocation.resourceHandle",
		New:  "status.allocation.resourceHandles[].data",
		Note: "one handle, for status.driverName",
	}},
	"v1alpha2": {
		{
			Old:  "spec.resourceClassName",
			New:  "spec.devices.requests[].deviceClassName",
			Note: "one request named claim",
		},
		{
			Old:  "spec.parametersRef",
			New:  "spec.devices.config[].opaque.parameters.parametersRef",
			Note: "kind ClassicClaimSpec, which no driver reads",
		},
		{
			Old: "spec.allocationMode",
			New: "spec.devices.config[].opaque.parameters.allocationMode",
			Note: "not stored if the mode is WaitForFirstConsumer; otherwise kind ClassicClaimSpec, which no driver " +
				"reads",
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
			Note: "kind ClassicAllocation: other data of a classic allocation, such as that it cannot be shared",
		},
	},
	"v1alpha3": {
		{
			Old:  "spec.controller",
			New:  "spec.devices.config[].opaque.parameters.controller",
			Note: "kind ControlPlaneClaim, which no driver reads",
		},
		{
			Old:  "status.allocation.controller",
			New:  "status.allocation.devices.config[].opaque.parameters.controller",
			Note: "kind ControlPlaneAllocation, which no driver reads",
		},
		{
			Old:  "status.deallocationRequested",
			New:  "status.claimbridgeDeallocationRequested",
			Note: "a field of claimbridge's CRDs",
		},
	},
	"v1beta1": movesIntoExactly(),
}

// movesIntoExactly returns a row for each field of a request that is in `exactly` since v1beta2.
func movesIntoExactly() (rows []move) {
	for _, field := range api.RequestFields() {
		if field.InExactly {
			rows = append(rows, move{
				Old: "spec.devices.requests[]." + field.Name,
				New: "spec.devices.requests[].exactly." + field.Name,
			})
		}
	}
	return rows
}
