package hub

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/names"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// ClassicSpecEntry is the entry for the data that only the spec of a v1alpha2 claim can represent.
type ClassicSpecEntry struct {
	AllocationMode v1alpha2.AllocationMode                    `json:"allocationMode,omitempty"`
	APIVersion     string                                     `json:"apiVersion"`
	Kind           string                                     `json:"kind"`
	ParametersRef  *v1alpha2.ResourceClaimParametersReference `json:"parametersRef,omitempty"`
}

// ClassicAllocationEntry is the entry for the data that only the allocation of a v1alpha2 claim can represent.
type ClassicAllocationEntry struct {
	APIVersion string                         `json:"apiVersion"`
	Digest     string                         `json:"digest"` // of the v1alpha3 allocation without this entry
	DriverName *string                        `json:"driverName,omitempty"`
	Handles    delta[v1alpha2.ResourceHandle] `json:"handles,omitzero"`
	Kind       string                         `json:"kind"`
	Shareable  *bool                          `json:"shareable,omitempty"` // nil or false
}

// ResourceHandleEntry is the entry for the data of one handle. The driver and the device are those of the result that
// represents the handle.
type ResourceHandleEntry struct {
	APIVersion string `json:"apiVersion"`
	Data       string `json:"data"`
	Device     string `json:"device"`
	Driver     string `json:"driver"`
	Kind       string `json:"kind"`
}

// newClassicSpecEntry returns the entry for a spec, or nil if v1alpha3 represents the spec
// completely. In a complete spec the default allocation mode is implied. In a fragment the client
// set it.
func newClassicSpecEntry(spec *v1alpha2.ResourceClaimSpec, o Options) *ClassicSpecEntry {
	mode := spec.AllocationMode
	if !o.IsFragment && mode == v1alpha2.AllocationModeWaitForFirstConsumer {
		mode = ""
	}
	if mode == "" && spec.ParametersRef == nil {
		return nil
	}
	return &ClassicSpecEntry{
		AllocationMode: mode,
		APIVersion:     EntryAPIVersion,
		Kind:           KindClassicSpec,
		ParametersRef:  spec.ParametersRef,
	}
}

// findClassicSpecEntry returns the first valid entry and its index, or nil and -1. An entry that
// newClassicSpecEntry would not create is not valid.
func findClassicSpecEntry(config []v1.DeviceClaimConfiguration, o Options) (*ClassicSpecEntry, int) {
	for i, c := range config {
		if len(c.Requests) > 0 || !isEntry(c.Opaque, KindClassicSpec) {
			continue
		}
		entry := &ClassicSpecEntry{}
		if !objectjson.DecodeStrict(c.Opaque.Parameters.Raw, entry) {
			continue
		}
		spec := &v1alpha2.ResourceClaimSpec{AllocationMode: entry.AllocationMode, ParametersRef: entry.ParametersRef}
		if reflect.DeepEqual(entry, newClassicSpecEntry(spec, o)) {
			return entry, i
		}
	}
	return nil, -1
}

// invalidValue returns the problem of a value that v1alpha1 and v1alpha2 reject, or "". With such a value, a claim
// could not be updated through these versions.
func (e *ClassicSpecEntry) invalidValue() string {
	switch e.AllocationMode {
	case "", v1alpha2.AllocationModeImmediate, v1alpha2.AllocationModeWaitForFirstConsumer:
	default:
		return "has an unknown allocationMode"
	}
	if ref := e.ParametersRef; ref != nil && (ref.Kind == "" || ref.Name == "") {
		return "has a parametersRef without kind or name"
	}
	return ""
}

// newClassicAllocationEntry returns the entry for the data of a v1alpha2 status that the v1alpha3 allocation does not
// represent, or nil if it represents everything.
func newClassicAllocationEntry(
	status *v1alpha2.ResourceClaimStatus, allocation *v1alpha3.AllocationResult, o Options,
) *ClassicAllocationEntry {
	visible := v1alpha3AllocationToV1alpha2(allocation, o)
	entry := ClassicAllocationEntry{APIVersion: EntryAPIVersion, Kind: KindClassicAllocation}
	if visible.DriverName != status.DriverName {
		entry.DriverName = &status.DriverName
	}
	visibleHandles, handles := visible.Allocation.ResourceHandles, status.Allocation.ResourceHandles
	if !slices.EqualFunc(visibleHandles, handles, EqualHandles) {
		entry.Handles = newDelta(visibleHandles, handles, canonicalHandle)
	}
	if !o.IsFragment && !status.Allocation.Shareable {
		entry.Shareable = new(bool)
	}
	if entry.DriverName == nil && entry.Handles == nil && entry.Shareable == nil {
		return nil
	}
	entry.Digest = Digest(allocation)
	return &entry
}

// findClassicAllocationEntry returns the last entry and the allocation without it. If there is no
// entry, or the last one is not one that newClassicAllocationEntry would create for the rest of the
// allocation, it returns nil and the whole allocation: such an entry is an ordinary configuration.
func findClassicAllocationEntry(
	allocation *v1alpha3.AllocationResult, o Options,
) (*ClassicAllocationEntry, *v1alpha3.AllocationResult) {
	config := allocation.Devices.Config
	for i, c := range slices.Backward(config) {
		if !isAllocationEntry(&c, KindClassicAllocation) {
			continue
		}
		entry := &ClassicAllocationEntry{}
		rest := *allocation
		rest.Devices.Config = slices.Concat(config[:i], config[i+1:])
		if objectjson.DecodeStrict(c.Opaque.Parameters.Raw, entry) && entry.isValidFor(&rest, o) {
			return entry, &rest
		}
		break
	}
	return nil, allocation
}

// isValidFor reports whether the entry is the one that newClassicAllocationEntry creates for an
// allocation, including its digest, and whether v1alpha2 accepts the handles and the driver in it.
func (e *ClassicAllocationEntry) isValidFor(allocation *v1alpha3.AllocationResult, o Options) bool {
	status := v1alpha3AllocationToV1alpha2(allocation, o)
	if !e.apply(&status) {
		return false
	}
	if e.Handles != nil && len(invalidHandles(status.Allocation.ResourceHandles)) > 0 {
		return false
	}
	if e.DriverName != nil && *e.DriverName != "" && !names.IsDriver(*e.DriverName) {
		return false
	}
	expected := newClassicAllocationEntry(&status, allocation, o)
	return expected != nil && canonicalText(e) == canonicalText(expected)
}

// apply adds the data of the entry to the visible status. It returns false if the entry does not fit the status.
func (e *ClassicAllocationEntry) apply(status *v1alpha2.ResourceClaimStatus) bool {
	if e.DriverName != nil {
		status.DriverName = *e.DriverName
	}
	if e.Shareable != nil {
		status.Allocation.Shareable = *e.Shareable
	}
	if e.Handles == nil {
		return true
	}
	handles, ok := e.Handles.apply(status.Allocation.ResourceHandles, v1alpha2.AllocationResultResourceHandlesMaxSize)
	status.Allocation.ResourceHandles = handles
	return ok
}

// readResourceHandleEntry returns the entry for the data of a handle, or nil for other
// configuration. An entry that exceeds a limit of v1alpha2 is other configuration.
func readResourceHandleEntry(c *v1.DeviceAllocationConfiguration) *ResourceHandleEntry {
	if !isAllocationEntry(c, KindResourceHandle) {
		return nil
	}
	h := &ResourceHandleEntry{}
	if !objectjson.DecodeStrict(c.Opaque.Parameters.Raw, h) {
		return nil
	}
	hasData := h.Data != "" && len(h.Data) <= v1alpha2.ResourceHandleDataMaxSize
	if !hasData || !names.IsDriver(h.Driver) || h.Driver == names.Domain || !isHandleDevice(h.Device) {
		return nil
	}
	return h
}

// A result of v1alpha3 names a pool and a device. A handle of v1alpha2 without structured data has neither: it is
// represented by a device in the pool claimbridge.dev.
const (
	handlePool         = names.Domain
	noHandleDevice     = "none" // represents an allocation without handles
	handleDevicePrefix = "handle-"
)

// handleDevice returns the name of the device that represents the handle of an index.
func handleDevice(index int) string { return handleDevicePrefix + strconv.Itoa(index) }

// isHandleDevice reports whether a device of the pool claimbridge.dev represents a handle.
func isHandleDevice(device string) bool {
	index, found := strings.CutPrefix(device, handleDevicePrefix)
	if !found {
		return false
	}
	_, err := strconv.ParseUint(index, 10, 16)
	return err == nil
}
