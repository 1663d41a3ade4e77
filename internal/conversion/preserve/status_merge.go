package preserve

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// statusEdits is the difference between the status that a client read in an older version and the one that it wrote,
// both converted to v1. The zero value has no edits.
type statusEdits struct {
	before, after *v1.ResourceClaimStatus
	isManifest    bool
}

func (e statusEdits) equal(a, b any) bool { return equalValues(a, b, e.isManifest) }

// isEmpty reports whether the client changed nothing.
func (e statusEdits) isEmpty() bool { return e.equal(e.before, e.after) }

// mergeInto returns the preserved status with the edits. If the client edited the allocation or the list of consumers,
// that of the client replaces the preserved one: no version hides a consumer. The device statuses are merged by device,
// and those of devices that the edits deallocate are removed.
func (e statusEdits) mergeInto(preserved *v1.ResourceClaimStatus) *v1.ResourceClaimStatus {
	merged := *preserved
	if !e.equal(e.before.Allocation, e.after.Allocation) {
		merged.Allocation = e.after.Allocation
	}
	if !e.equal(e.before.ReservedFor, e.after.ReservedFor) {
		merged.ReservedFor = e.after.ReservedFor
	}
	if e.before.ClaimbridgeDeallocationRequested != e.after.ClaimbridgeDeallocationRequested {
		merged.ClaimbridgeDeallocationRequested = e.after.ClaimbridgeDeallocationRequested
	}
	if !e.equal(e.before.Devices, e.after.Devices) {
		merged.Devices = e.mergeDevices(preserved.Devices)
	}
	merged.Devices = withoutDeallocated(merged.Devices, preserved.Allocation, merged.Allocation)
	return &merged
}

// deviceKey identifies a device status.
type deviceKey struct{ driver, pool, device, shareID string }

func keyOfDevice(d *v1.AllocatedDeviceStatus) deviceKey {
	key := deviceKey{driver: d.Driver, pool: d.Pool, device: d.Device}
	if d.ShareID != nil {
		key.shareID = *d.ShareID
	}
	return key
}

// mergeDevices returns the device statuses that the client wrote, in their order, and the preserved ones that are
// hidden in the older version. A hidden status still follows the visible status that it followed before. If the client
// removed that one, the hidden status is appended at the end.
func (e statusEdits) mergeDevices(preserved []v1.AllocatedDeviceStatus) []v1.AllocatedDeviceStatus {
	preservedByKey, beforeByKey := devicesByKey(preserved), devicesByKey(e.before.Devices)
	hiddenAfter := map[deviceKey][]v1.AllocatedDeviceStatus{} // by the visible status that they follow
	var previous deviceKey                                    // zero before the first visible status
	for i := range preserved {
		key := keyOfDevice(&preserved[i])
		if beforeByKey[key] != nil {
			previous = key
		} else {
			hiddenAfter[previous] = append(hiddenAfter[previous], preserved[i])
		}
	}
	var merged []v1.AllocatedDeviceStatus
	addHidden := func(after deviceKey) {
		merged = append(merged, hiddenAfter[after]...)
		delete(hiddenAfter, after)
	}
	addHidden(deviceKey{})
	for i := range e.after.Devices {
		device := e.after.Devices[i]
		key := keyOfDevice(&device)
		if stored, before := preservedByKey[key], beforeByKey[key]; stored != nil && before != nil {
			device = e.mergeDevice(stored, before, &device)
		}
		merged = append(merged, device)
		addHidden(key)
	}
	for i := range preserved { // the client removed the visible status that these follow
		addHidden(keyOfDevice(&preserved[i]))
	}
	return merged
}

func devicesByKey(devices []v1.AllocatedDeviceStatus) map[deviceKey]*v1.AllocatedDeviceStatus {
	byKey := make(map[deviceKey]*v1.AllocatedDeviceStatus, len(devices))
	for i := range devices {
		byKey[keyOfDevice(&devices[i])] = &devices[i]
	}
	return byKey
}

// mergeDevice returns a preserved device status with the fields that the client changed. Other fields keep their stored
// spelling: the client may have read them as an API server encodes them.
func (e statusEdits) mergeDevice(preserved, before, after *v1.AllocatedDeviceStatus) v1.AllocatedDeviceStatus {
	merged := *preserved
	if !e.equal(before.Conditions, after.Conditions) {
		merged.Conditions = after.Conditions
	}
	if !e.equal(before.Data, after.Data) {
		merged.Data = after.Data
	}
	if !e.equal(before.NetworkData, after.NetworkData) {
		merged.NetworkData = after.NetworkData
	}
	return merged
}

// withoutDeallocated returns the device statuses without those of devices that were allocated and are no longer, as an
// API server removes them from built-in objects.
func withoutDeallocated(
	devices []v1.AllocatedDeviceStatus, before, after *v1.AllocationResult,
) []v1.AllocatedDeviceStatus {
	if before == nil || len(devices) == 0 {
		return devices
	}
	return slices.DeleteFunc(slices.Clone(devices), func(d v1.AllocatedDeviceStatus) bool {
		return allocates(before, d) && !allocates(after, d)
	})
}

// allocates reports whether an allocation has the device of a device status.
func allocates(a *v1.AllocationResult, d v1.AllocatedDeviceStatus) bool {
	if a == nil {
		return false
	}
	return slices.ContainsFunc(a.Devices.Results, func(r v1.DeviceRequestAllocationResult) bool {
		hasSameShare := r.ShareID == nil && d.ShareID == nil ||
			r.ShareID != nil && d.ShareID != nil && string(*r.ShareID) == *d.ShareID
		return r.Driver == d.Driver && r.Pool == d.Pool && r.Device == d.Device && hasSameShare
	})
}
