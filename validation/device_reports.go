package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// devicesPath is where drivers report of allocated devices.
var devicesPath = statusPath.Child("devices")

// reports of devices, by their drivers.
var reports = items[*v1.AllocatedDeviceStatus]{
	asked: onStatus, ofLaterFields: true,
	each: func(w *write, check check[*v1.AllocatedDeviceStatus], refuse refuser) {
		checkList(w, w.new.devices, placeOf(devicesPath), check, refuse)
	},
}

var reportedDriverIsValid = reports.rule("reported-driver-is-valid", "What is reported of a device names its driver.",
	"Kubernetes 1.32+ DT24", func(w *write, d *v1.AllocatedDeviceStatus, at place, refuse refuser) {
		w.checkDriverName(d.Driver, at.child("driver"), refuse)
	})

var reportedPoolIsValid = reports.rule("reported-pool-is-valid", "What is reported of a device names its pool.",
	"Kubernetes 1.32+ DT24", func(_ *write, d *v1.AllocatedDeviceStatus, at place, refuse refuser) {
		checkPoolName(d.Pool, at.child("pool"), refuse)
	})

var reportedDeviceIsLabel = reports.rule("reported-device-is-label",
	"What is reported of a device names it by a DNS label.",
	"Kubernetes 1.32+ DT24", func(_ *write, d *v1.AllocatedDeviceStatus, at place, refuse refuser) {
		checkLabel(d.Device, at.child("device"), refuse)
	})

// reportedDeviceIsAllocated lets stay what was reported of devices that were not allocated any more
// before the write. An API server takes that away together with the allocation, whoever writes; for
// a custom resource nobody does, and no client that does not know of reports could allocate the
// claim again.
var reportedDeviceIsAllocated = Rule{
	Name: "reported-device-is-allocated",
	Reason: "Only of allocated devices is anything reported, from 1.34 on of their shares; what was reported " +
		"before they were freed may stay.",
	Source:        "Kubernetes 1.32+ DT25",
	asked:         onStatus,
	ofLaterFields: true,
	transition:    true,
	check: func(w *write, refuse refuser) {
		if len(w.new.devices) == 0 {
			return
		}
		allocated, before := w.new.allocatedIDs(), w.old.allocatedIDs()
		reported := make(map[deviceID]bool, len(w.old.devices))
		for i := range w.old.devices {
			reported[idOfStatus(&w.old.devices[i])] = true
		}
		for i := range w.new.devices {
			if id := idOfStatus(&w.new.devices[i]); !allocated[id] && (before[id] || !reported[id]) {
				refuse(field.Invalid(devicesPath.Index(i), field.OmitValueType{},
					"must be an allocated device in the claim"))
			}
		}
	},
}

// reportedDevicesAreUnique: up to 1.34 the error names a field that no version has.
var reportedDevicesAreUnique = Rule{
	Name:          "reported-devices-are-unique",
	Reason:        "Of a device, or a share of it, there is one report.",
	Source:        "Kubernetes 1.32+ DT26",
	asked:         onStatus,
	ofLaterFields: true,
	check: func(w *write, refuse refuser) {
		for i := range repeatedBy(w.new.devices, idOfStatus) {
			refuse(field.Duplicate(w.repeatedAt(devicesPath.Index(i), "deviceID"), field.OmitValueType{}))
		}
	},
}

var reportedDataAtMost10KiB = reports.rule("reported-data-at-most-10-kib",
	"The data that a driver reports of a device has at most 10,240 bytes, as it is written.",
	"Kubernetes 1.32+ DT29", func(_ *write, d *v1.AllocatedDeviceStatus, at place, refuse refuser) {
		if data := d.Data; data != nil && len(data.Raw) > v1.AllocatedDeviceStatusDataMaxLength {
			refuse(field.TooLong(at.path().Child("data"), "", v1.AllocatedDeviceStatusDataMaxLength))
		}
	})

var reportedDataIsObject = reports.rule("reported-data-is-an-object",
	"The data that a driver reports of a device is a JSON object, when there is any.",
	"Kubernetes 1.32+ DT29", func(_ *write, d *v1.AllocatedDeviceStatus, at place, refuse refuser) {
		if data := d.Data; data != nil && len(data.Raw) > 0 && len(data.Raw) <= v1.AllocatedDeviceStatusDataMaxLength {
			checkParameters(data.Raw, at.child("data"), refuse)
		}
	})
