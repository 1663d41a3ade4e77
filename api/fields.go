package api

import (
	"slices"
	"strings"
)

// Field that not every release with its version has, or that stands behind a feature gate: a row of
// the table of fields.
type Field struct {
	// Path without indices, as in v1beta1: without `exactly` of a request. See [Field.PathIn].
	Path string
	// Since is the release that it came with and Gone the first one without it, as far as claims
	// had devices then and now.
	Since, Gone string
	// Gate that it stands behind. An API server drops the field while that is off, unless the
	// stored object has some of the same gate. ClosedFrom is the first release in which it is off
	// by default, and OpenFrom the first after it in which it is on.
	Gate, ClosedFrom, OpenFrom string
}

const (
	requests = "spec.devices.requests."
	results  = "status.allocation.devices.results."
)

// fields by their paths. 1.33 and 1.34 meant to drop tolerations and 1.34 distinctAttribute as well.
var fields = []Field{
	{Path: "spec.controller", Gone: "1.32"},
	{Path: requests + "adminAccess", Gate: "DRAAdminAccess", ClosedFrom: "1.32", OpenFrom: "1.34"},
	{Path: requests + "capacity", Since: "1.34", Gate: "DRAConsumableCapacity", ClosedFrom: "1.34", OpenFrom: "1.36"},
	{Path: requests + "derivedAttributes", Since: "1.37", Gate: "DRADerivedAttributes", ClosedFrom: "1.37"},
	{Path: requests + "tolerations", Since: "1.33", Gate: "DRADeviceTaints", ClosedFrom: "1.35", OpenFrom: "1.36"},
	{
		Path: requests + "firstAvailable", Since: "1.33", Gate: "DRAPrioritizedList", ClosedFrom: "1.33",
		OpenFrom: "1.34",
	},
	{
		Path:       requests + "firstAvailable.capacity",
		Since:      "1.34",
		Gate:       "DRAConsumableCapacity",
		ClosedFrom: "1.34",
		OpenFrom:   "1.36",
	},
	{
		Path:       requests + "firstAvailable.derivedAttributes",
		Since:      "1.37",
		Gate:       "DRADerivedAttributes",
		ClosedFrom: "1.37",
	},
	{
		Path:       requests + "firstAvailable.tolerations",
		Since:      "1.33",
		Gate:       "DRADeviceTaints",
		ClosedFrom: "1.35",
		OpenFrom:   "1.36",
	},
	{
		Path:       "spec.devices.constraints.distinctAttribute",
		Since:      "1.34",
		Gate:       "DRAConsumableCapacity",
		ClosedFrom: "1.35",
		OpenFrom:   "1.36",
	},

	{Path: "status.deallocationRequested", Gone: "1.32"},
	{Path: "status.allocation.controller", Gone: "1.32"},
	{Path: "status.allocation.resourceHandles.structuredData", Since: "1.30"},
	{
		Path:       "status.allocation.allocationTimestamp",
		Since:      "1.34",
		Gate:       "DRADeviceBindingConditions",
		ClosedFrom: "1.34",
		OpenFrom:   "1.35",
	},
	{Path: results + "adminAccess", Since: "1.32", Gate: "DRAAdminAccess", ClosedFrom: "1.32", OpenFrom: "1.34"},
	{
		Path: results + "bindingConditions", Since: "1.34", Gate: "DRADeviceBindingConditions",
		ClosedFrom: "1.34", OpenFrom: "1.36",
	},
	{
		Path:       results + "bindingFailureConditions",
		Since:      "1.34",
		Gate:       "DRADeviceBindingConditions",
		ClosedFrom: "1.34",
		OpenFrom:   "1.36",
	},
	{
		Path: results + "consumedCapacity", Since: "1.34", Gate: "DRAConsumableCapacity", ClosedFrom: "1.34",
		OpenFrom: "1.36",
	},
	{Path: results + "shareID", Since: "1.34", Gate: "DRAConsumableCapacity", ClosedFrom: "1.34", OpenFrom: "1.36"},
	{Path: results + "skipNodeOperations", Since: "1.37", Gate: "DRAOptionalNodeOperations", ClosedFrom: "1.37"},
	{Path: results + "tolerations", Since: "1.33"}, // behind DRADeviceTaints, and never dropped
	{Path: "status.devices", Since: "1.32", Gate: "DRAResourceClaimDeviceStatus", ClosedFrom: "1.32", OpenFrom: "1.33"},
	{
		Path: "status.devices.shareID", Since: "1.34", Gate: "DRAConsumableCapacity", ClosedFrom: "1.34",
		OpenFrom: "1.36",
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

// Fields that not every release has.
func Fields() []Field { return slices.Clone(fields) }
