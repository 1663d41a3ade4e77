package preserve

import (
	"slices"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// statusEdits is the difference between the status that a client read in an older version and the one that it wrote,
// both converted to v1.
type statusEdits struct {
	read, written *v1.ResourceClaimStatus
	isManifest    bool
}

func (e statusEdits) equal(a, b any) bool { return equalValues(a, b, e.isManifest) }

// isEmpty reports whether the client changed nothing.
func (e statusEdits) isEmpty() bool { return e.equal(e.read, e.written) }

// mergeInto returns the preserved status with the edits. An allocation is replaced as a whole. Consumers are replaced
// as a whole too, because every version shows all of them. The request for deallocation is replaced. Reports of devices
// are merged by key, and those of devices that are no longer allocated are removed.
func (e statusEdits) mergeInto(preserved *v1.ResourceClaimStatus) *v1.ResourceClaimStatus {
	merged := *preserved
	if !e.equal(e.read.Allocation, e.written.Allocation) {
		merged.Allocation = e.written.Allocation
	}
	if !e.equal(e.read.ReservedFor, e.written.ReservedFor) {
		merged.ReservedFor = e.written.ReservedFor
	}
	if e.read.ClaimbridgeDeallocationRequested != e.written.ClaimbridgeDeallocationRequested {
		merged.ClaimbridgeDeallocationRequested = e.written.ClaimbridgeDeallocationRequested
	}
	if !e.equal(e.read.Devices, e.written.Devices) {
		merged.Devices = e.mergeDevices(preserved.Devices)
	}
	merged.Devices = withoutDeallocated(merged.Devices, preserved.Allocation, merged.Allocation)
	return &merged
}

// deviceKey identifies the report of a device.
type deviceKey struct{ driver, pool, device, shareID string }

func keyOfDevice(d *v1.AllocatedDeviceStatus) deviceKey {
	key := deviceKey{driver: d.Driver, pool: d.Pool, device: d.Device}
	if d.ShareID != nil {
		key.shareID = *d.ShareID
	}
	return key
}

// mergeDevices returns the written reports, in their order, and the preserved reports that the older version does not
// show. Each of those follows the report that it followed before, or is the last if that report was removed.
func (e statusEdits) mergeDevices(preserved []v1.AllocatedDeviceStatus) []v1.AllocatedDeviceStatus {
	preservedByKey, readByKey := devicesByKey(preserved), devicesByKey(e.read.Devices)
	hiddenAfter := map[deviceKey][]v1.AllocatedDeviceStatus{}
	var previous deviceKey
	for i := range preserved {
		key := keyOfDevice(&preserved[i])
		if readByKey[key] != nil {
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
	for i := range e.written.Devices {
		device := e.written.Devices[i]
		key := keyOfDevice(&device)
		if stored, read := preservedByKey[key], readByKey[key]; stored != nil && read != nil {
			device = e.mergeDevice(stored, read, &device)
		}
		merged = append(merged, device)
		addHidden(key)
	}
	for i := range preserved {
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

// mergeDevice returns a preserved report with the fields that the client changed. Other fields keep their spelling,
// which an API server may have changed in what the client read.
func (e statusEdits) mergeDevice(preserved, read, written *v1.AllocatedDeviceStatus) v1.AllocatedDeviceStatus {
	merged := *preserved
	if !e.equal(read.Conditions, written.Conditions) {
		merged.Conditions = written.Conditions
	}
	if !e.equal(read.Data, written.Data) {
		merged.Data = written.Data
	}
	if !e.equal(read.NetworkData, written.NetworkData) {
		merged.NetworkData = written.NetworkData
	}
	return merged
}

// withoutDeallocated returns the reports without those of devices that were allocated and are no longer. An API server
// removes them from its own objects.
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

// allocates reports whether an allocation has the device of a report.
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
