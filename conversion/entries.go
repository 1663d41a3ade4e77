package conversion

import (
	"bytes"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// What only v1alpha2 can say is stored in v1alpha3 where that API leaves room for parties to put parameters: as
// opaque device configuration. Drivers ignore configuration that is not theirs, typed clients carry it unharmed.

// entryAPIVersion of the parameters in configuration entries of ours.
const entryAPIVersion = domain + "/v1"

// Kinds of configuration entries, with their place. The driver of all is claimbridge.dev: a strict driver fails on a kind
// that it does not know, and looks only at entries of its own name.
const (
	kindClassicSpec       = "ClassicClaimSpec"  // spec.devices.config
	kindClassicAllocation = "ClassicAllocation" // status.allocation.devices.config, FromClass
	kindResourceHandle    = "ResourceHandle"    // status.allocation.devices.config, FromClass
)

// classicSpec is what only a classic spec can say. Members stand in the order of their names, in which the API
// server writes them back.
type classicSpec struct {
	AllocationMode v1alpha2.AllocationMode                    `json:"allocationMode,omitempty"`
	APIVersion     string                                     `json:"apiVersion"`
	Kind           string                                     `json:"kind"`
	ParametersRef  *v1alpha2.ResourceClaimParametersReference `json:"parametersRef,omitempty"`
}

// classicAllocation is what only a classic allocation can say, or what v1alpha3 has no room for.
type classicAllocation struct {
	APIVersion string                         `json:"apiVersion"`
	Digest     string                         `json:"digest"` // of the allocation without this entry
	DriverName *string                        `json:"driverName,omitempty"`
	Handles    delta[v1alpha2.ResourceHandle] `json:"handles,omitzero"`
	Kind       string                         `json:"kind"`
	Shareable  *bool                          `json:"shareable,omitempty"` // only ever false
}

// resourceHandle is the data of one handle, for the driver and the device of the result that stands for it.
type resourceHandle struct {
	APIVersion string `json:"apiVersion"`
	Data       string `json:"data"`
	Device     string `json:"device"`
	Driver     string `json:"driver"`
	Kind       string `json:"kind"`
}

// entryKind is the kind of an entry of ours, or "" for foreign configuration.
func entryKind(o *v1alpha3.OpaqueDeviceConfiguration) string {
	if o == nil || !mayNameUs(o.Parameters.Raw) {
		return ""
	}
	meta := readEntryMeta(o.Parameters.Raw)
	if meta.apiVersion != entryAPIVersion {
		return ""
	}
	return meta.kind
}

// isOurs tells whether an entry is of a kind of ours. The parameters of another driver are not read.
func isOurs(o *v1alpha3.OpaqueDeviceConfiguration, kind string) bool {
	return o != nil && o.Driver == domain && entryKind(o) == kind
}

// mayNameUs tells what is worth reading: our domain is there, or an escape that may stand for a letter of it.
func mayNameUs(parameters []byte) bool {
	return bytes.Contains(parameters, []byte(domain)) || bytes.Contains(parameters, []byte(`\u`))
}

// entryMeta is what an object says of its type; nothing when it says it twice, or not in UTF-8.
type entryMeta struct{ apiVersion, kind string }

func readEntryMeta(parameters []byte) (meta entryMeta) {
	s := kjson.New(parameters)
	for name, value := range s.Values() {
		var into *string
		switch name {
		case "apiVersion":
			into = &meta.apiVersion
		case "kind":
			into = &meta.kind
		default:
			continue
		}
		if *into != "" || !utf8.Valid(value) {
			return entryMeta{}
		}
		*into = kjson.StringOf(value)
	}
	if !s.AtEnd() {
		return entryMeta{}
	}
	return meta
}

// entryOf makes the configuration of an entry. What a driver gave is in it byte for byte.
func entryOf(r *room, parameters any) v1alpha3.DeviceConfiguration {
	return v1alpha3.DeviceConfiguration{Opaque: r.v1alpha3OpaqueDeviceConfiguration.put(v1alpha3.OpaqueDeviceConfiguration{
		Driver:     domain,
		Parameters: runtime.RawExtension{Raw: r.encode(parameters)},
	})}
}

// madeHandle is an entry of kind ResourceHandle that this conversion made, and what it holds.
type madeHandle struct {
	entry  *v1alpha3.OpaqueDeviceConfiguration
	handle *resourceHandle
}

// entryOfHandle makes the entry of a handle. It is read again to see what it says, so the room remembers it.
func entryOfHandle(r *room, h resourceHandle) v1alpha3.DeviceConfiguration {
	handle := r.resourceHandle.put(h)
	entry := entryOf(r, handle)
	if len(r.made) < v1alpha3.AllocationConfigMaxSize {
		r.made = append(r.made, madeHandle{entry.Opaque, handle})
	}
	return entry
}

// readEntry reads the parameters of an entry strictly into a value that is zero.
func readEntry[T any](r *room, o *v1alpha3.OpaqueDeviceConfiguration, into *T) bool {
	return readStrictly(r, o.Parameters.Raw, into)
}

// asResourceHandle reads an entry that holds a handle's data. One that does not fit the limits of v1alpha2 is foreign
// configuration.
func asResourceHandle(r *room, c v1alpha3.DeviceAllocationConfiguration) (*resourceHandle, bool) {
	if c.Source != v1alpha3.AllocationConfigSourceClass || len(c.Requests) > 0 {
		return nil, false
	}
	for _, made := range r.made {
		if made.entry == c.Opaque {
			return made.handle, true
		}
	}
	if !isOurs(c.Opaque, kindResourceHandle) {
		return nil, false
	}
	h := r.resourceHandle.one()
	if !readEntry(r, c.Opaque, h) || h.Data == "" || len(h.Data) > v1alpha2.ResourceHandleDataMaxSize ||
		!isDriver(h.Driver) || h.Driver == domain || !isHandleDevice(h.Device) {
		return nil, false
	}
	return h, true
}

// insert puts an item at a place of a list, which was checked, or last.
func insert[T any](room *slab[T], list []T, at int, item T) []T {
	if at < 0 {
		at = len(list)
	}
	out := room.list(len(list) + 1)
	copy(out, list[:at])
	out[at] = item
	copy(out[at+1:], list[at:])
	return out
}

// remove is a copy of a list without the item at a place, and that place for insert: -1 when it was the last.
func remove[T any](room *slab[T], list []T, at int) ([]T, int) {
	if len(list) == 1 {
		return nil, -1
	}
	out := room.list(len(list) - 1)
	copy(out, list[:at])
	copy(out[at:], list[at+1:])
	if at == len(out) {
		at = -1
	}
	return out, at
}
