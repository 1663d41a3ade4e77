package validation

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// deviceID is one device, or one share of it.
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

// allocatedIDs of an object.
func (o *object) allocatedIDs() map[deviceID]bool {
	ids := map[deviceID]bool{}
	if o.allocation != nil {
		for i := range o.allocation.Devices.Results {
			ids[idOfResult(&o.allocation.Devices.Results[i])] = true
		}
	}
	return ids
}

// dropDeallocated takes away what is reported of devices that were allocated and are not any more,
// as an API server does for clients that do not know of such reports.
func (w *write) dropDeallocated() {
	if len(w.new.devices) == 0 || w.old.allocation == nil {
		return
	}
	before, after := w.old.allocatedIDs(), w.new.allocatedIDs()
	gone := func(d v1.AllocatedDeviceStatus) bool {
		id := idOfStatus(&d)
		return before[id] && !after[id]
	}
	if slices.ContainsFunc(w.new.devices, gone) {
		w.new.devices = slices.DeleteFunc(slices.Clone(w.new.devices), gone)
	}
}
