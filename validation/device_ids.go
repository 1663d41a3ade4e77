package validation

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// deviceID identifies a device, or one share of it.
type deviceID struct{ driver, pool, device, share string }

func idOfResult(r *v1.DeviceRequestAllocationResult) deviceID {
	id := deviceID{driver: r.Driver, pool: r.Pool, device: r.Device}
	if r.ShareID != nil {
		id.share = string(*r.ShareID)
	}
	return id
}

func idOfStatus(d *v1.AllocatedDeviceStatus) deviceID {
	r := v1.DeviceRequestAllocationResult{
		Driver: d.Driver, Pool: d.Pool, Device: d.Device, ShareID: (*types.UID)(d.ShareID),
	}
	return idOfResult(&r)
}

// allocatedIDs returns the devices of the allocation.
func (c *claim) allocatedIDs() map[deviceID]bool {
	ids := map[deviceID]bool{}
	if a := c.status.Allocation; a != nil {
		for i := range a.Devices.Results {
			ids[idOfResult(&a.Devices.Results[i])] = true
		}
	}
	return ids
}

// dropDeallocatedDevices drops the status of devices that were allocated and no longer are, as an API server does for
// clients that do not know the status of devices.
func (in *input) dropDeallocatedDevices() {
	devices := in.new.status.Devices
	if len(devices) == 0 || in.old.status.Allocation == nil {
		return
	}
	before, after := in.old.allocatedIDs(), in.new.allocatedIDs()
	isDeallocated := func(d v1.AllocatedDeviceStatus) bool {
		id := idOfStatus(&d)
		return before[id] && !after[id]
	}
	if slices.ContainsFunc(devices, isDeallocated) {
		in.new.status.Devices = slices.DeleteFunc(slices.Clone(devices), isDeallocated)
	}
}
