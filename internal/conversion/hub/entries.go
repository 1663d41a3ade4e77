package hub

import (
	"bytes"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/internal/names"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// Data that only an older version can represent is stored as opaque device configuration, an entry of claimbridge. Its
// driver is claimbridge.dev: drivers ignore the configuration of other drivers, and a strict driver would fail on an
// unknown kind in its own configuration. Typed clients keep such entries. The members of an entry are in the order
// of their names, in which an API server writes them back.
//
// In status.allocation an entry counts only with the source FromClass. The allocator of Kubernetes 1.31 copies every
// entry of the spec to the allocation with the source FromClaim.

// EntryAPIVersion is the apiVersion in the parameters of every entry.
const EntryAPIVersion = names.Domain + "/v1"

// Kinds of entries, and the list that each belongs in.
const (
	KindClassicSpec            = "ClassicClaimSpec"       // spec.devices.config
	KindClassicAllocation      = "ClassicAllocation"      // status.allocation.devices.config
	KindResourceHandle         = "ResourceHandle"         // status.allocation.devices.config
	KindControlPlaneClaim      = "ControlPlaneClaim"      // spec.devices.config
	KindControlPlaneAllocation = "ControlPlaneAllocation" // status.allocation.devices.config
	KindChunk                  = "Part"                   // both lists, in v1beta1 and later: a chunk of an entry
)

// newEntry returns the configuration for an entry.
func newEntry(parameters any) v1.DeviceConfiguration {
	return v1.DeviceConfiguration{Opaque: &v1.OpaqueDeviceConfiguration{
		Driver:     names.Domain,
		Parameters: runtime.RawExtension{Raw: objectjson.Marshal(parameters)},
	}}
}

// EntryKind returns the kind in the parameters of an entry, for any driver. It returns "" for other configuration.
// Parameters with a duplicate apiVersion or kind, or one that is not UTF-8, are not an entry. Parameters with another
// apiVersion are not read to the end.
func EntryKind(opaque *v1.OpaqueDeviceConfiguration) (kind string) {
	if opaque == nil {
		return ""
	}
	apiVersion := ""
	scanner := objectjson.NewScanner(opaque.Parameters.Raw)
	for name, value := range scanner.Values() {
		var field *string
		switch name {
		case "apiVersion":
			field = &apiVersion
		case "kind":
			field = &kind
		default:
			continue
		}
		if *field != "" || !utf8.Valid(value) {
			return ""
		}
		*field = objectjson.StringOf(value)
		if apiVersion != "" && apiVersion != EntryAPIVersion {
			return ""
		}
	}
	if apiVersion == "" || !scanner.AtEnd() {
		return ""
	}
	return kind
}

// isEntry reports whether a configuration is an entry of a kind, for the driver claimbridge.dev.
func isEntry(opaque *v1.OpaqueDeviceConfiguration, kind string) bool {
	return opaque != nil && opaque.Driver == names.Domain && EntryKind(opaque) == kind
}

// isAllocationEntry reports whether a configuration of an allocation is an entry of a kind, with the source and the
// requests that such an entry has.
func isAllocationEntry(c *v1.DeviceAllocationConfiguration, kind string) bool {
	return c.Source == v1.AllocationConfigSourceClass && len(c.Requests) == 0 && isEntry(c.Opaque, kind)
}

// isVendorConfig reports whether a configuration can become a vendor's parameters in v1alpha2. Parameters that look
// like an entry cannot: in the reverse conversion they would be taken for the data of a handle.
func isVendorConfig(opaque *v1.OpaqueDeviceConfiguration) bool {
	isObject := bytes.HasPrefix(bytes.TrimLeft(opaque.Parameters.Raw, " \t\r\n"), []byte("{"))
	return opaque.Driver != "" && opaque.Driver != names.Domain && isObject && EntryKind(opaque) == ""
}
