package api

import (
	"slices"
	"strings"
)

// Field is a row of the table of fields: a field that some releases of its version don't have, or that has a feature
// gate.
type Field struct {
	// Path has no indices. For a field of a request it is the path in v1beta1, without `exactly`, see [Field.PathIn]. For
	// a field that only older versions have, it is the path in those versions.
	Path string
	// Since is the release that added the field. It is empty for a field that v1alpha3 of 1.31 already had. RemovedIn is
	// the first release that doesn't have the field any more, if there is one.
	Since, RemovedIn string
	// Gate is the feature gate of the field. An API server drops the field while the gate is off, unless the stored
	// object has a field of the same gate. OffSince is the first release that drops the field by default, and OnSince
	// the first later one that does not.
	Gate, OffSince, OnSince string
}

const (
	requests = "spec.devices.requests."
	results  = "status.allocation.devices.results."
)

// fields is the table of fields. Usually OffSince is the release that added the gate to the API server, and OnSince the
// one that enabled it by default. There are three exceptions, fields that a release keeps although their gate is off:
// tolerations of requests in 1.33 and 1.34, distinctAttribute in 1.34, and allocationTimestamp in 1.35.
var fields = []Field{
	{Path: "spec.controller", RemovedIn: "1.32"},
	{Path: requests + "adminAccess", Gate: "DRAAdminAccess", OffSince: "1.32", OnSince: "1.34"},
	{Path: requests + "capacity", Since: "1.34", Gate: "DRAConsumableCapacity", OffSince: "1.34", OnSince: "1.36"},
	{Path: requests + "derivedAttributes", Since: "1.37", Gate: "DRADerivedAttributes", OffSince: "1.37"},
	{Path: requests + "tolerations", Since: "1.33", Gate: "DRADeviceTaints", OffSince: "1.35", OnSince: "1.36"},
	{
		Path: requests + "firstAvailable", Since: "1.33", Gate: "DRAPrioritizedList", OffSince: "1.33",
		OnSince: "1.34",
	},
	{
		Path:     requests + "firstAvailable.capacity",
		Since:    "1.34",
		Gate:     "DRAConsumableCapacity",
		OffSince: "1.34",
		OnSince:  "1.36",
	},
	{
		Path:     requests + "firstAvailable.derivedAttributes",
		Since:    "1.37",
		Gate:     "DRADerivedAttributes",
		OffSince: "1.37",
	},
	{
		Path:     requests + "firstAvailable.tolerations",
		Since:    "1.33",
		Gate:     "DRADeviceTaints",
		OffSince: "1.35",
		OnSince:  "1.36",
	},
	{
		Path:     "spec.devices.constraints.distinctAttribute",
		Since:    "1.34",
		Gate:     "DRAConsumableCapacity",
		OffSince: "1.35",
		OnSince:  "1.36",
	},

	{Path: "status.deallocationRequested", RemovedIn: "1.32"},
	{Path: "status.allocation.controller", RemovedIn: "1.32"},
	{Path: "status.allocation.resourceHandles.structuredData", Since: "1.30"},
	{
		Path:     "status.allocation.allocationTimestamp",
		Since:    "1.34",
		Gate:     "DRADeviceBindingConditions",
		OffSince: "1.34",
		OnSince:  "1.35",
	},
	{Path: results + "adminAccess", Since: "1.32", Gate: "DRAAdminAccess", OffSince: "1.32", OnSince: "1.34"},
	{
		Path: results + "bindingConditions", Since: "1.34", Gate: "DRADeviceBindingConditions",
		OffSince: "1.34", OnSince: "1.36",
	},
	{
		Path:     results + "bindingFailureConditions",
		Since:    "1.34",
		Gate:     "DRADeviceBindingConditions",
		OffSince: "1.34",
		OnSince:  "1.36",
	},
	{
		Path: results + "consumedCapacity", Since: "1.34", Gate: "DRAConsumableCapacity", OffSince: "1.34",
		OnSince: "1.36",
	},
	{Path: results + "shareID", Since: "1.34", Gate: "DRAConsumableCapacity", OffSince: "1.34", OnSince: "1.36"},
	{Path: results + "skipNodeOperations", Since: "1.37", Gate: "DRAOptionalNodeOperations", OffSince: "1.37"},
	{Path: results + "tolerations", Since: "1.33"}, // behind DRADeviceTaints, and never dropped
	{Path: "status.devices", Since: "1.32", Gate: "DRAResourceClaimDeviceStatus", OffSince: "1.32", OnSince: "1.33"},
	{
		Path: "status.devices.shareID", Since: "1.34", Gate: "DRAConsumableCapacity", OffSince: "1.34",
		OnSince: "1.36",
	},
}

// PathIn returns the path of the field in a version.
func (f Field) PathIn(version string) string {
	below, isRequestField := strings.CutPrefix(f.Path, requests)
	if !isRequestField {
		return f.Path
	}
	name, _, _ := strings.Cut(below, ".")
	path := strings.Join(RequestFieldPath(version, name), ".")
	return requests + path + strings.TrimPrefix(below, name)
}

// Fields returns the table of fields that some releases don't have, or that have a feature gate.
func Fields() []Field { return slices.Clone(fields) }
