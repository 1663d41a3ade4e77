package v1alpha3

import (
	"bytes"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/names"
)

// What only v1alpha2 can say is stored in v1alpha3 where that API leaves room for parties to put parameters: as
// opaque device configuration. Drivers ignore configuration that is not theirs, typed clients carry it unharmed.

// EntryAPIVersion of the parameters in configuration entries of ours.
const EntryAPIVersion = names.Domain + "/v1"

// Kinds of configuration entries, with their place. The driver of all is claimbridge.dev: a strict
// driver fails on a kind that it does not know, and looks only at entries of its own name.
const (
	KindClassicSpec       = "ClassicClaimSpec"  // spec.devices.config
	KindClassicAllocation = "ClassicAllocation" // status.allocation.devices.config, FromClass
	KindResourceHandle    = "ResourceHandle"    // status.allocation.devices.config, FromClass
	// KindPart is of later versions, which have a limit for parameters: here no entry is in parts.
	KindPart = "Part"
)

// ClassicSpec is what only a classic spec can say. Members stand in the order of their names, in which the API
// server writes them back.
type ClassicSpec struct {
	AllocationMode v1alpha2.AllocationMode                    `json:"allocationMode,omitempty"`
	APIVersion     string                                     `json:"apiVersion"`
	Kind           string                                     `json:"kind"`
	ParametersRef  *v1alpha2.ResourceClaimParametersReference `json:"parametersRef,omitempty"`
}

// ClassicAllocation is what only a classic allocation can say, or what v1alpha3 has no room for.
type ClassicAllocation struct {
	APIVersion string                                  `json:"apiVersion"`
	Digest     string                                  `json:"digest"` // of the allocation without this entry
	DriverName *string                                 `json:"driverName,omitempty"`
	Handles    leftover.Delta[v1alpha2.ResourceHandle] `json:"handles,omitzero"`
	Kind       string                                  `json:"kind"`
	Shareable  *bool                                   `json:"shareable,omitempty"` // only ever false
}

// ResourceHandle is the data of one handle, for the driver and the device of the result that stands for it.
type ResourceHandle struct {
	APIVersion string `json:"apiVersion"`
	Data       string `json:"data"`
	Device     string `json:"device"`
	Driver     string `json:"driver"`
	Kind       string `json:"kind"`
}

// EntryKind is the kind of an entry of claimbridge, or "" for foreign configuration. One that says its
// type twice, or not in UTF-8, is foreign. Others mostly begin with an apiVersion, and are not read
// any further.
func EntryKind(o *v1alpha3.OpaqueDeviceConfiguration) (kind string) {
	if o == nil {
		return ""
	}
	apiVersion := ""
	s := kjson.New(o.Parameters.Raw)
	for name, value := range s.Values() {
		into := &kind
		switch name {
		case "apiVersion":
			into = &apiVersion
		case "kind":
		default:
			continue
		}
		if *into != "" || !utf8.Valid(value) {
			return ""
		}
		if *into = kjson.StringOf(value); apiVersion != "" && apiVersion != EntryAPIVersion {
			return ""
		}
	}
	if apiVersion == "" || !s.AtEnd() {
		return ""
	}
	return kind
}

// IsOurs reports whether an entry is of a kind of ours. The parameters of another driver are not read.
func IsOurs(o *v1alpha3.OpaqueDeviceConfiguration, kind string) bool {
	return o != nil && o.Driver == names.Domain && EntryKind(o) == kind
}

// IsOfAllocation reports whether an entry of an allocation claims to be of a kind of ours, in its place.
func IsOfAllocation(c *v1alpha3.DeviceAllocationConfiguration, kind string) bool {
	return c.Source == v1alpha3.AllocationConfigSourceClass && len(c.Requests) == 0 && IsOurs(c.Opaque, kind)
}

// isVendors reports whether an entry can be a vendor's field in v1alpha2: one that looks like an
// entry of claimbridge could, on its way back, pass for the data of a handle.
func isVendors(o *v1alpha3.OpaqueDeviceConfiguration) bool {
	return o.Driver != "" && o.Driver != names.Domain && isObject(o.Parameters.Raw) && EntryKind(o) == ""
}

// EntryOf makes the configuration of an entry. What a driver gave is in it byte for byte.
func EntryOf(parameters any) v1alpha3.DeviceConfiguration {
	return v1alpha3.DeviceConfiguration{Opaque: &v1alpha3.OpaqueDeviceConfiguration{
		Driver: names.Domain, Parameters: runtime.RawExtension{Raw: kjson.Marshal(parameters)},
	}}
}

// AsResourceHandle reads an entry that holds a handle's data, and gives nil for others. One that
// does not fit the limits of v1alpha2 is foreign configuration.
func AsResourceHandle(c *v1alpha3.DeviceAllocationConfiguration) *ResourceHandle {
	if !IsOfAllocation(c, KindResourceHandle) {
		return nil
	}
	h := &ResourceHandle{}
	if !kjson.ReadStrictly(c.Opaque.Parameters.Raw, h) || h.Data == "" ||
		len(h.Data) > v1alpha2.ResourceHandleDataMaxSize ||
		!names.IsDriver(h.Driver) || h.Driver == names.Domain || !IsHandleDevice(h.Device) {
		return nil
	}
	return h
}

func isObject(value []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(value, " \t\r\n"), []byte("{"))
}
