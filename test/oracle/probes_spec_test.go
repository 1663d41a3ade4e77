package oracle

import (
	"fmt"
	"slices"
	"strings"
)

// What is asked about specs.
var specProbes = map[string]probe{
	"a request of nothing but a class": {want: map[string]string{"1.32": ""}},

	// Paths of requests.
	"a count below one": {devices: one("count: -1"), want: map[string]string{
		"1.32": "Invalid spec.devices.requests[0].count", "1.33": "Invalid spec.devices.requests[0].exactly.count",
	}},
	"a mode that there is not": {devices: one("allocationMode: Many"), want: map[string]string{
		"1.32": "NotSupported spec.devices.requests[0].allocationMode", "1.33": "NotSupported spec.devices.requests[0].exactly.allocationMode",
		"1.37": "NotSupported spec.devices.requests[0].exactly.allocationMode", "1.37 flat": "NotSupported spec.devices.requests[0].allocationMode",
	}},
	"no class": {devices: "{requests: [{name: r, exactly: {count: 1}}]}", want: map[string]string{
		"1.32": "Required spec.devices.requests[0].deviceClassName", "1.33": "Required spec.devices.requests[0].exactly.deviceClassName",
		"1.33 flat": "NotSupported spec.devices.requests[0].exactly.allocationMode, Required spec.devices.requests[0].exactly.deviceClassName", // no defaults
	}},
	"a request of nothing": {devices: "{requests: [{name: r}]}", want: map[string]string{
		"1.32": "Required spec.devices.requests[0].deviceClassName", "1.33": "Required spec.devices.requests[0]",
	}},
	"an empty exactly": {devices: "{requests: [{name: r, exactly: {}}]}", want: map[string]string{
		"1.33": "Required spec.devices.requests[0].exactly.deviceClassName", "1.33 flat": "Required spec.devices.requests[0]",
	}},
	"a name twice": {devices: "{requests: [{name: r, exactly: {deviceClassName: c}}, {name: r, exactly: {deviceClassName: c}}]}", want: map[string]string{
		"1.32": "Duplicate spec.devices.requests[1].name", "1.35": "Duplicate spec.devices.requests[1]",
	}},

	// Lists that are too long.
	"33 requests, each wrong": {devices: "{requests: [" + times(33, "{name: r%, exactly: {deviceClassName: c, count: -1}}") + "]}", want: map[string]string{
		"1.35": "TooMany spec.devices.requests",
	}},
	"33 requests of a mode that there is not": {devices: "{requests: [" + times(33, "{name: r%, exactly: {deviceClassName: c, allocationMode: Many}}") + "]}", want: map[string]string{
		"1.35": "TooMany spec.devices.requests",
	}},
	"33 selectors": {devices: one("selectors: [" + times(33, "{cel: {expression: 'true'}}") + "]"), want: map[string]string{
		"1.32": "TooMany spec.devices.requests[0].selectors", "1.33": "TooMany spec.devices.requests[0].exactly.selectors",
		"1.37": "TooMany spec.devices.requests[0].exactly.selectors", "1.37 flat": "TooMany spec.devices.requests[0].selectors",
	}},
	"33 entries of config": {devices: "{requests: [{name: r, exactly: {deviceClassName: c}}], config: [" + times(33, "{opaque: {driver: d, parameters: {}}}") + "]}", want: map[string]string{
		"1.32": "TooMany spec.devices.config",
	}},

	// Alternatives.
	"an alternative": {devices: "{requests: [{name: r, firstAvailable: [{name: s, deviceClassName: c}]}]}", want: map[string]string{
		"1.33": "Required spec.devices.requests[0]", "1.34": "",
	}},
	"an alternative, and the gate is open": {gates: "DRAPrioritizedList=true", devices: "{requests: [{name: r, firstAvailable: [{name: s, deviceClassName: c}]}]}", want: map[string]string{
		"1.33": "",
	}},
	"exactly and alternatives": {devices: "{requests: [{name: r, exactly: {deviceClassName: c, count: -1}, firstAvailable: [{name: s, deviceClassName: ''}]}]}", want: map[string]string{
		"1.33": "Invalid spec.devices.requests[0].exactly.count",
		"1.34": "Invalid spec.devices.requests[0], Invalid spec.devices.requests[0].exactly.count, Required spec.devices.requests[0].firstAvailable[0].deviceClassName",
		"1.35": "Invalid spec.devices.requests[0]",
		"1.37": "Invalid spec.devices.requests[0], Required spec.devices.requests[0].firstAvailable[0].deviceClassName",
	}},
	"exactly of a mode that there is not, and alternatives": {devices: "{requests: [{name: r, exactly: {deviceClassName: c, allocationMode: Many}, firstAvailable: [{name: s, deviceClassName: c}]}]}", want: map[string]string{
		"1.33":      "NotSupported spec.devices.requests[0].exactly.allocationMode",
		"1.34":      "Invalid spec.devices.requests[0], NotSupported spec.devices.requests[0].exactly.allocationMode",
		"1.35":      "Invalid spec.devices.requests[0]",
		"1.37":      "Invalid spec.devices.requests[0], NotSupported spec.devices.requests[0].exactly.allocationMode",
		"1.37 flat": "Invalid spec.devices.requests[0], NotSupported spec.devices.requests[0].allocationMode",
	}},
	"nine alternatives": {devices: "{requests: [{name: r, firstAvailable: [" + times(9, "{name: s%, deviceClassName: c}") + "]}]}", want: map[string]string{
		"1.34": "TooMany spec.devices.requests[0].firstAvailable",
	}},
	"an alternative's name twice": {devices: "{requests: [{name: r, firstAvailable: [{name: s, deviceClassName: c}, {name: s, deviceClassName: c}]}]}", want: map[string]string{
		"1.34": "Duplicate spec.devices.requests[0].firstAvailable[1].name", "1.35": "Duplicate spec.devices.requests[0].firstAvailable[1]",
	}},
	"an alternative's mode that there is not": {devices: "{requests: [{name: r, firstAvailable: [{name: s, deviceClassName: c, allocationMode: Many}]}]}", want: map[string]string{
		"1.34": "NotSupported spec.devices.requests[0].firstAvailable[0].allocationMode",
	}},
	"names of a request with alternatives, and of one of them": {
		devices: "{requests: [{name: r, firstAvailable: [{name: s, deviceClassName: c}]}], constraints: [{requests: [r, r/s], matchAttribute: d/a}]}",
		want:    map[string]string{"1.34": ""},
	},
	"names with two slashes, of alternatives that there are not": {
		devices: "{requests: [{name: r, exactly: {deviceClassName: c}}], constraints: [{requests: [r/s/t, r/s], matchAttribute: d/a}]}",
		want:    map[string]string{"1.33": "Invalid spec.devices.constraints[0].requests[0], Invalid spec.devices.constraints[0].requests[1]"},
	},

	// Attributes.
	"a constraint without an attribute": {devices: constrained("requests: [r]"), want: map[string]string{
		"1.32": "Required spec.devices.constraints[0].matchAttribute", "1.36": "Required spec.devices.constraints[0]",
	}},
	"an attribute without a domain": {devices: constrained("matchAttribute: a"), want: map[string]string{
		"1.32": "Invalid spec.devices.constraints[0].matchAttribute",
	}},
	"an attribute with an empty domain": {devices: constrained("matchAttribute: /a"), want: map[string]string{
		"1.32": "Required spec.devices.constraints[0].matchAttribute", "1.35": "Invalid spec.devices.constraints[0].matchAttribute",
	}},
	"an attribute with an empty name": {devices: constrained("matchAttribute: d/"), want: map[string]string{
		"1.32": "Required spec.devices.constraints[0].matchAttribute", "1.35": "Invalid spec.devices.constraints[0].matchAttribute",
	}},
	"an empty attribute": {devices: constrained("matchAttribute: ''"), want: map[string]string{
		"1.32": "Required spec.devices.constraints[0].matchAttribute",
		"1.35": "Invalid spec.devices.constraints[0].matchAttribute",
	}},
	"an attribute that is no identifier": {devices: constrained("matchAttribute: d/a-b"), want: map[string]string{
		"1.32": "TypeInvalid spec.devices.constraints[0].matchAttribute", "1.34": "Invalid spec.devices.constraints[0].matchAttribute",
	}},
	"an attribute with capitals in its domain": {devices: constrained("matchAttribute: D.example/a"), want: map[string]string{
		"1.32": "", "1.37": "Invalid spec.devices.constraints[0].matchAttribute",
	}},
	"a distinct attribute": {devices: constrained("distinctAttribute: d/a"), want: map[string]string{
		"1.34": "", "1.35": "Required spec.devices.constraints[0].matchAttribute", "1.36": "",
	}},
	"a wrong distinct attribute": {devices: constrained("distinctAttribute: a"), want: map[string]string{
		"1.36": "Invalid spec.devices.constraints[0].distinctAttribute",
	}},
	"a wrong distinct attribute beside another": {devices: constrained("matchAttribute: d/a, distinctAttribute: a"), want: map[string]string{
		"1.34": "", "1.37": "Invalid spec.devices.constraints[0].distinctAttribute",
	}},

	// Tolerations.
	"no effect": {devices: one("tolerations: [{key: k, operator: Exists, effect: None}]"), want: map[string]string{
		"1.33": "NotSupported spec.devices.requests[0].exactly.tolerations[0].effect", "1.35": "",
	}},
	"an effect that there is not": {devices: one("tolerations: [{key: k, operator: Exists, effect: Sometimes}]"), want: map[string]string{
		"1.33": "NotSupported spec.devices.requests[0].exactly.tolerations[0].effect", "1.35": "",
		"1.36": "NotSupported spec.devices.requests[0].exactly.tolerations[0].effect", "1.37": "NotSupported spec.devices.requests[0].exactly.tolerations[0].effect",
		"1.37 flat": "NotSupported spec.devices.requests[0].tolerations[0].effect",
	}},
	"an operator that there is not, and a wrong key": {devices: one("tolerations: [{key: '/', operator: Near}]"), want: map[string]string{
		"1.33":      "Invalid spec.devices.requests[0].exactly.tolerations[0].key, NotSupported spec.devices.requests[0].exactly.tolerations[0].operator",
		"1.35":      "",
		"1.36":      "Invalid spec.devices.requests[0].exactly.tolerations[0].key, NotSupported spec.devices.requests[0].exactly.tolerations[0].operator",
		"1.37":      "Invalid spec.devices.requests[0].exactly.tolerations[0].key, NotSupported spec.devices.requests[0].exactly.tolerations[0].operator",
		"1.37 flat": "Invalid spec.devices.requests[0].tolerations[0].key, NotSupported spec.devices.requests[0].tolerations[0].operator",
	}},
	"a value where none may be": {devices: one("tolerations: [{key: k, operator: Exists, value: v}]"), want: map[string]string{
		"1.33": "Invalid spec.devices.requests[0].exactly.tolerations[0].value", "1.35": "", "1.36": "Invalid spec.devices.requests[0].exactly.tolerations[0].value",
	}},
	"no operator, which is Equal": {devices: one("tolerations: [{key: k, value: v}]"), want: map[string]string{"1.33": ""}},
	"17 tolerations":              {devices: one("tolerations: [" + times(17, "{key: k%, operator: Exists}") + "]"), want: map[string]string{"1.33": ""}},

	// Bounds of 1.32.
	"an expression of more than 10 KiB": {devices: one("selectors: [{cel: {expression: 'true" + strings.Repeat(" ", 10*1024) + "'}}]"), want: map[string]string{
		"1.32": "TooLong spec.devices.requests[0].selectors[0].cel.expression", "1.33": "TooLong spec.devices.requests[0].exactly.selectors[0].cel.expression",
	}},
	"an expression that costs too much": {devices: one("selectors: [{cel: {expression: '" + strings.Repeat(`device.attributes["d"].exists(a, `, 6) + "true" + strings.Repeat(")", 6) + "'}}]"), want: map[string]string{
		"1.32": "Forbidden spec.devices.requests[0].selectors[0].cel.expression", "1.33": "Forbidden spec.devices.requests[0].exactly.selectors[0].cel.expression",
	}},
	"parameters of more than 10 KiB": {devices: configured("driver: d, parameters: {a: '" + strings.Repeat("b", 10*1024) + "'}"), want: map[string]string{
		"1.32": "TooLong spec.devices.config[0].opaque.parameters",
	}},
	"parameters without a driver": {devices: configured("driver: '', parameters: {}"), want: map[string]string{
		"1.32": "Invalid spec.devices.config[0].opaque.driver, Required spec.devices.config[0].opaque.driver", "1.35": "Required spec.devices.config[0].opaque.driver",
	}},

	"an expression about sharing a device": {devices: one("selectors: [{cel: {expression: 'device.allowMultipleAllocations'}}]"), want: map[string]string{
		"1.32": "Invalid spec.devices.requests[0].selectors[0].cel.expression", "1.33": "Invalid spec.devices.requests[0].exactly.selectors[0].cel.expression", "1.36": "",
	}},
	"33 names of requests": {devices: constrained("matchAttribute: d/a, requests: [" + times(33, "r%") + "]"), want: map[string]string{
		"1.35": "TooMany spec.devices.constraints[0].requests",
	}},

	// What no release judges, or none at default gates.
	"admin access, where the namespace has the label": {devices: one("adminAccess: true"), want: map[string]string{"1.32": ""}},
	"any capacity": {devices: one("capacity: {requests: {'-': 1}}"), want: map[string]string{"1.34": ""}},
	"wrong derived attributes, which are dropped": {devices: one("derivedAttributes: [{name: a, expression: '('}]"), want: map[string]string{"1.34": ""}},
	"wrong derived attributes, and the gate is open": {gates: "DRADerivedAttributes=true", devices: one("derivedAttributes: [{name: a, expression: '('}]"), want: map[string]string{
		"1.37": "Invalid spec.devices.requests[0].exactly.derivedAttributes[0].expression, Invalid spec.devices.requests[0].exactly.derivedAttributes[0].name",
		"1.37 flat": "Invalid spec.devices.requests[0].derivedAttributes[0].name, " + // no such name, and no constraint with it
			"Invalid spec.devices.requests[0].exactly.derivedAttributes[0].expression, Invalid spec.devices.requests[0].exactly.derivedAttributes[0].name",
	}},

	"derived attributes, and the gate is open": {gates: "DRADerivedAttributes=true", devices: derived("{name: d/a, expression: 'device.driver'}"), want: map[string]string{"1.37": ""}},
	"a derived attribute twice, and the gate is open": {gates: "DRADerivedAttributes=true", devices: derived("{name: d/a, expression: 'true'}, {name: d/a, expression: 'true'}"), want: map[string]string{
		"1.37": "Duplicate spec.devices.requests[0].exactly.derivedAttributes[1]",
	}},
	"a derived attribute without name and expression, and the gate is open": {gates: "DRADerivedAttributes=true", devices: derived("{name: '', expression: ''}"), want: map[string]string{
		"1.37":      "Required spec.devices.requests[0].exactly.derivedAttributes[0].expression, Required spec.devices.requests[0].exactly.derivedAttributes[0].name",
		"1.37 flat": "Required spec.devices.requests[0].derivedAttributes[0].expression, Required spec.devices.requests[0].derivedAttributes[0].name",
	}},
	"a derived attribute that no constraint has, and the gate is open": {gates: "DRADerivedAttributes=true", devices: derived("{name: d/b, expression: 'true'}"), want: map[string]string{
		"1.37": "Invalid spec.devices.requests[0].exactly.derivedAttributes[0].name",
	}},
	"33 derived attributes, and the gate is open": {gates: "DRADerivedAttributes=true", devices: derived(times(33, "{name: d/a%, expression: 'true'}")), want: map[string]string{
		"1.37":      each(33, "Invalid spec.devices.requests[0].exactly.derivedAttributes[%d].name") + ", TooMany spec.devices.requests[0].exactly.derivedAttributes",
		"1.37 flat": each(33, "Invalid spec.devices.requests[0].exactly.derivedAttributes[%d].name") + ", TooMany spec.devices.requests[0].derivedAttributes",
	}},

	// Updates.
	"another spec": {devices: one("count: 2"), oldDevices: one(""), want: map[string]string{"1.32": "Invalid spec"}},
	"a spec that was stored wrong": {devices: one("count: -1"), oldDevices: "same", want: map[string]string{
		"1.32": "Invalid spec.devices.requests[0].count", "1.33": "Invalid spec.devices.requests[0].exactly.count", "1.35": "",
	}},
	"a template that was stored wrong": {template: true, devices: one("count: -1"), oldDevices: "same", want: map[string]string{
		"1.32": "Invalid spec.spec.devices.requests[0].count", "1.33": "Invalid spec.spec.devices.requests[0].exactly.count",
	}},
	"another spec of a template": {template: true, devices: one("count: 2"), oldDevices: one(""), want: map[string]string{"1.32": "Invalid spec"}},
	"a template with a mode that there is not": {template: true, devices: one("allocationMode: Many"), want: map[string]string{
		"1.32": "NotSupported spec.spec.devices.requests[0].allocationMode", "1.33": "NotSupported spec.spec.devices.requests[0].exactly.allocationMode",
		"1.37": "NotSupported spec.spec.devices.requests[0].exactly.allocationMode", "1.37 flat": "NotSupported spec.spec.devices.requests[0].allocationMode",
	}},
}

// constrained is one request with a constraint.
func constrained(members string) string {
	return "{requests: [{name: r, exactly: {deviceClassName: c}}], constraints: [{" + members + "}]}"
}

// configured is one request with opaque parameters.
func configured(members string) string {
	return "{requests: [{name: r, exactly: {deviceClassName: c}}], config: [{opaque: {" + members + "}}]}"
}

// derived is one request with derived attributes, and a constraint with one of them.
func derived(attributes string) string {
	return "{requests: [{name: r, exactly: {deviceClassName: c, derivedAttributes: [" + attributes + "]}}], constraints: [{matchAttribute: d/a}]}"
}

// each is the same problem of all items of a list.
func each(items int, problem string) string {
	var all []string
	for i := range items {
		all = append(all, fmt.Sprintf(problem, i))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}
