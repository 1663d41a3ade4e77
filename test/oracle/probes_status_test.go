package oracle

import "strings"

// What is asked about statuses. Where nothing is said of the stored one, there is none.
var statusProbes = map[string]probe{
	"an allocation": {status: allocated(""), want: map[string]string{"1.32": ""}},

	// Allocations.
	"another allocation": {oldStatus: allocated(""), status: "{allocation: {devices: {results: [{request: r, driver: d, pool: p, device: other}]}}}", want: map[string]string{
		"1.32": "Invalid status.allocation",
	}},
	"an allocation that was stored wrong": {
		oldStatus: "{allocation: {devices: {results: [{request: other, driver: '', pool: '', device: ''}]}}}",
		status:    "{allocation: {devices: {results: [{request: other, driver: '', pool: '', device: ''}]}}}",
		want:      map[string]string{"1.32": ""},
	},
	"a result without a driver": {status: "{allocation: {devices: {results: [{request: r, driver: '', pool: p, device: e}]}}}", want: map[string]string{
		"1.32": "Invalid status.allocation.devices.results[0].driver, Required status.allocation.devices.results[0].driver",
		"1.35": "Required status.allocation.devices.results[0].driver",
	}},
	"a driver of 64 characters": {status: "{allocation: {devices: {results: [{request: r, driver: " + strings.Repeat("d", 64) + ", pool: p, device: e}]}}}", want: map[string]string{
		"1.32": "TooLong status.allocation.devices.results[0].driver",
	}},
	"33 results": {status: "{allocation: {devices: {results: [" + times(33, "{request: r, driver: d, pool: p, device: e%}") + "]}}}", want: map[string]string{
		"1.32": "TooMany status.allocation.devices.results",
	}},
	"a value of a node selector that no label can have": {status: "{allocation: {nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: k, operator: In, values: ['-']}]}]}}}", want: map[string]string{
		"1.32": "Invalid status.allocation.nodeSelector.nodeSelectorTerms[0].matchExpressions[0].values[0]",
	}},
	"a tolerated effect that there is not": {status: allocated("tolerations: [{key: k, operator: Exists, effect: Sometimes}]"), want: map[string]string{
		"1.33": "", "1.37": "NotSupported status.allocation.devices.results[0].tolerations[0].effect",
	}},
	"admin access to a device, where the namespace has the label": {status: allocated("adminAccess: true"), want: map[string]string{"1.32": ""}},
	"any time of allocation, any capacity that is consumed": {
		status: "{allocation: {allocationTimestamp: '1970-01-01T00:00:00Z', devices: {results: [{request: r, driver: d, pool: p, device: e, consumedCapacity: {'-': 1}}]}}}",
		want:   map[string]string{"1.34": ""},
	},
	"a share that is no UUID": {status: allocated("shareID: A"), want: map[string]string{"1.34": "", "1.36": "Invalid status.allocation.devices.results[0].shareID"}},
	"a share that is no UUID, and the gate is open": {gates: "DRAConsumableCapacity=true", status: allocated("shareID: A"), want: map[string]string{
		"1.34": "Invalid status.allocation.devices.results[0].shareID",
	}},
	"five conditions for binding": {status: allocated("bindingFailureConditions: [f], bindingConditions: [" + times(5, "c%") + "]"), want: map[string]string{
		"1.34": "", "1.36": "TooMany status.allocation.devices.results[0].bindingConditions",
	}},
	"a condition for binding and none for its failure": {status: allocated("bindingConditions: [c]"), want: map[string]string{
		"1.34": "", "1.36": "Invalid status.allocation.devices.results[0].bindingFailureConditions",
	}},
	"the same condition for binding and for its failure": {status: allocated("bindingConditions: [c], bindingFailureConditions: [c]"), want: map[string]string{
		"1.34": "", "1.36": "Invalid status.allocation.devices.results[0].bindingFailureConditions[0]",
	}},
	"a condition for binding that is no key of a label": {status: allocated("bindingConditions: [c/d/e], bindingFailureConditions: [f]"), want: map[string]string{
		"1.34": "", "1.36": "Invalid status.allocation.devices.results[0].bindingConditions[0]",
	}},
	"a condition for binding twice": {status: allocated("bindingConditions: [c, c], bindingFailureConditions: [f]"), want: map[string]string{
		"1.34": "", "1.36": "Duplicate status.allocation.devices.results[0].bindingConditions[1]",
	}},
	"the same device twice, for a request that wants one": {
		status: "{allocation: {devices: {results: [{request: r, driver: d, pool: p, device: e}, {request: r, driver: d, pool: p, device: e}]}}}",
		want:   map[string]string{"1.32": ""},
	},
	"an operation to skip that there is not, which is dropped": {status: allocated("skipNodeOperations: [Other]"), want: map[string]string{"1.34": ""}},
	"an operation to skip that there is not, and the gate is open": {gates: "DRAOptionalNodeOperations=true", status: allocated("skipNodeOperations: [Other]"), want: map[string]string{
		"1.37": "NotSupported status.allocation.devices.results[0].skipNodeOperations[0]",
	}},
	"to skip the preparation alone, and the gate is open": {gates: "DRAOptionalNodeOperations=true", status: allocated("skipNodeOperations: [NodePrepareResources]"), want: map[string]string{
		"1.37": "Invalid status.allocation.devices.results[0].skipNodeOperations",
	}},

	// Consumers.
	"33 consumers":  {status: "{allocation: {}, reservedFor: [" + times(33, "{resource: pods, name: a, uid: u%}") + "]}", want: map[string]string{"1.32": ""}},
	"257 consumers": {status: "{allocation: {}, reservedFor: [" + times(257, "{resource: pods, name: a, uid: u%}") + "]}", want: map[string]string{"1.32": "TooMany status.reservedFor"}},
	"a consumer twice": {status: "{allocation: {}, reservedFor: [{resource: pods, name: a, uid: u}, {resource: pods, name: b, uid: u}]}", want: map[string]string{
		"1.32": "Duplicate status.reservedFor[1].uid", "1.35": "Duplicate status.reservedFor[1]",
	}},
	"a consumer of what is not allocated": {status: "{reservedFor: [{resource: pods, name: a, uid: u}]}", want: map[string]string{"1.32": "Forbidden status.reservedFor"}},

	// Devices, which 1.32 drops.
	"a device that is not allocated": {status: "{devices: [{driver: d, pool: p, device: e}]}", want: map[string]string{"1.32": "", "1.33": "Invalid status.devices[0]"}},
	"a device twice": {status: reporting("{driver: d, pool: p, device: e}, {driver: d, pool: p, device: e}"), want: map[string]string{
		"1.32": "", "1.33": "Duplicate status.devices[1].deviceID", "1.35": "Duplicate status.devices[1]",
	}},
	"devices that go with their allocation": {oldStatus: reporting("{driver: d, pool: p, device: e}"), status: "{devices: [{driver: d, pool: p, device: e}]}", want: map[string]string{"1.32": ""}},
	"a device without names": {status: reporting("{driver: '', pool: '', device: ''}"), want: map[string]string{
		"1.32": "",
		"1.33": "Invalid status.devices[0], Invalid status.devices[0].device, Invalid status.devices[0].driver, Required status.devices[0].driver, Required status.devices[0].pool",
		"1.35": "Invalid status.devices[0], Invalid status.devices[0].device, Required status.devices[0].driver, Required status.devices[0].pool",
	}},
	"another share than the one that is allocated": {status: reporting("{driver: d, pool: p, device: e, shareID: 9d1c0f9e-5b0e-4a3c-8a4e-0d9f0a7b6c5d}"), want: map[string]string{
		"1.32": "", "1.36": "Invalid status.devices[0]",
	}},
	"a share of a device that is no UUID": {status: reporting("{driver: d, pool: p, device: e, shareID: A}"), want: map[string]string{
		"1.32": "", "1.36": "Invalid status.devices[0], Invalid status.devices[0].shareID",
	}},
	"a device that was stored wrong": {
		oldStatus: reporting("{driver: d, pool: p, device: e, networkData: {ips: [10.0.0.1]}}"),
		status:    reporting("{driver: d, pool: p, device: e, networkData: {ips: [10.0.0.1]}}"),
		want:      map[string]string{"1.32": "Invalid status.devices[0].networkData.ips[0]"},
	},
	"an empty condition of a device": {status: reporting("{driver: d, pool: p, device: e, conditions: [{}]}"), want: map[string]string{
		"1.32": "",
		"1.33": "Invalid status.devices[0].conditions[0].type, NotSupported status.devices[0].conditions[0].status, " +
			"Required status.devices[0].conditions[0].lastTransitionTime, Required status.devices[0].conditions[0].reason",
		"1.37": "Required status.devices[0].conditions[0].lastTransitionTime, Required status.devices[0].conditions[0].reason, " +
			"Required status.devices[0].conditions[0].status, Required status.devices[0].conditions[0].type",
	}},
	"two conditions of the same type": {status: reporting("{driver: d, pool: p, device: e, conditions: [" +
		times(2, "{type: T, status: 'True', reason: R, message: '', lastTransitionTime: '2026-01-01T00:00:00Z'}") + "]}"), want: map[string]string{
		"1.32": "", "1.33": "Duplicate status.devices[0].conditions[1].type", "1.37": "Duplicate status.devices[0].conditions[1]",
	}},
	"nine conditions of a device": {status: reporting("{driver: d, pool: p, device: e, conditions: [" +
		times(9, "{type: t%, status: 'True', reason: R, message: '', lastTransitionTime: '2026-01-01T00:00:00Z'}") + "]}"), want: map[string]string{
		"1.32": "", "1.33": "TooMany status.devices[0].conditions",
	}},
	"data that is no object":       {status: reporting("{driver: d, pool: p, device: e, data: [1]}"), want: map[string]string{"1.32": "", "1.33": "Invalid status.devices[0].data"}},
	"data of more than 10 KiB":     {status: reporting("{driver: d, pool: p, device: e, data: {a: '" + strings.Repeat("b", 10*1024) + "'}}"), want: map[string]string{"1.33": "TooLong status.devices[0].data"}},
	"an address with bits of host": {status: reporting("{driver: d, pool: p, device: e, networkData: {ips: [10.0.0.1/24]}}"), want: map[string]string{"1.32": ""}},
	"an address without a prefix":  {status: reporting("{driver: d, pool: p, device: e, networkData: {ips: [10.0.0.1]}}"), want: map[string]string{"1.32": "", "1.33": "Invalid status.devices[0].networkData.ips[0]"}},
	"an address written unusually": {status: reporting("{driver: d, pool: p, device: e, networkData: {ips: ['FE80::1/64']}}"), want: map[string]string{"1.33": "Invalid status.devices[0].networkData.ips[0]"}},
	"an address twice":             {status: reporting("{driver: d, pool: p, device: e, networkData: {ips: [10.0.0.1/24, 10.0.0.1/24]}}"), want: map[string]string{"1.33": "Duplicate status.devices[0].networkData.ips[1]"}},
	"names of interfaces and hardware that are too long": {
		status: reporting("{driver: d, pool: p, device: e, networkData: {interfaceName: " + strings.Repeat("i", 257) + ", hardwareAddress: " + strings.Repeat("h", 129) + "}}"),
		want:   map[string]string{"1.33": "TooLong status.devices[0].networkData.hardwareAddress, TooLong status.devices[0].networkData.interfaceName"},
	},
}

// allocated is a device, with more of the result than its names.
func allocated(members string) string {
	return "{allocation: {devices: {results: [{request: r, driver: d, pool: p, device: e, " + members + "}]}}}"
}

// reporting is that device with what drivers say of some.
func reporting(devices string) string {
	return "{allocation: {devices: {results: [{request: r, driver: d, pool: p, device: e}]}}, devices: [" + devices + "]}"
}
