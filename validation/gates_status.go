package validation

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// usedInStatus are the gated fields that the status of a claim with devices has.
func (o *object) usedInStatus() (used gated) {
	use := func(field gated, is bool) {
		if is {
			used |= field
		}
	}
	use(deviceStatus, len(o.devices) > 0)
	for i := range o.devices {
		use(shareID, o.devices[i].ShareID != nil)
	}
	if o.allocation == nil {
		return used
	}
	use(allocationTimestamp, o.allocation.AllocationTimestamp != nil)
	for i := range o.allocation.Devices.Results {
		r := &o.allocation.Devices.Results[i]
		use(adminAccess, r.AdminAccess != nil)
		use(resultTolerations, len(r.Tolerations) > 0)
		use(bindingConditions, r.BindingConditions != nil || r.BindingFailureConditions != nil)
		use(shareID, r.ShareID != nil)
		use(capacity, r.ConsumedCapacity != nil)
		use(skippedOperations, len(r.SkipNodeOperations) > 0)
	}
	return used
}

// dropStatus takes fields away from the status, in copies if it has any.
func (o *object) dropStatus(fields gated) {
	if fields == 0 || o.structured == nil || o.usedInStatus()&fields == 0 {
		return
	}
	if fields&deviceStatus != 0 {
		o.devices = nil
	}
	if fields&shareID != 0 && len(o.devices) > 0 {
		o.devices = slices.Clone(o.devices)
		for i := range o.devices {
			o.devices[i].ShareID = nil
		}
	}
	if o.allocation == nil {
		return
	}
	allocation := *o.allocation
	if fields&allocationTimestamp != 0 {
		allocation.AllocationTimestamp = nil
	}
	allocation.Devices.Results = slices.Clone(allocation.Devices.Results)
	for i := range allocation.Devices.Results {
		dropFromResult(&allocation.Devices.Results[i], fields)
	}
	o.allocation = &allocation
}

func dropFromResult(r *v1.DeviceRequestAllocationResult, fields gated) {
	if fields&adminAccess != 0 {
		r.AdminAccess = nil
	}
	if fields&resultTolerations != 0 {
		r.Tolerations = nil
	}
	if fields&bindingConditions != 0 {
		r.BindingConditions, r.BindingFailureConditions = nil, nil
	}
	if fields&shareID != 0 {
		r.ShareID = nil
	}
	if fields&capacity != 0 {
		r.ConsumedCapacity = nil
	}
	if fields&skippedOperations != 0 {
		r.SkipNodeOperations = nil
	}
}

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
	r := v1.DeviceRequestAllocationResult{Driver: d.Driver, Pool: d.Pool, Device: d.Device, ShareID: (*types.UID)(d.ShareID)}
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

// dropDeallocated takes away what is reported of devices that were allocated and are not any more, as an API server does for
// clients that do not know of such reports.
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
