package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// devicesPath is where drivers report of allocated devices.
var devicesPath = statusPath.Child("devices")

var reportedDriverIsValid = Rule{
	Name:          "reported-driver-is-valid",
	Reason:        "What is reported of a device names its driver.",
	Source:        "Kubernetes 1.32 to 1.37 DT24",
	asked:         onStatus,
	since:         release1_32,
	ofLaterFields: true,
	check: func(w *write, refuse refuse) {
		for i := range w.new.devices {
			w.checkDriverName(w.new.devices[i].Driver, deviceField(i, "driver"), refuse)
		}
	},
}

var reportedPoolIsValid = Rule{
	Name:          "reported-pool-is-valid",
	Reason:        "What is reported of a device names its pool.",
	Source:        "Kubernetes 1.32 to 1.37 DT24",
	asked:         onStatus,
	since:         release1_32,
	ofLaterFields: true,
	check: func(w *write, refuse refuse) {
		for i := range w.new.devices {
			checkPoolName(w.new.devices[i].Pool, deviceField(i, "pool"), refuse)
		}
	},
}

var reportedDeviceIsLabel = Rule{
	Name:          "reported-device-is-label",
	Reason:        "What is reported of a device names it by a DNS label.",
	Source:        "Kubernetes 1.32 to 1.37 DT24",
	asked:         onStatus,
	since:         release1_32,
	ofLaterFields: true,
	check: func(w *write, refuse refuse) {
		for i := range w.new.devices {
			checkLabel(w.new.devices[i].Device, deviceField(i, "device"), refuse)
		}
	},
}

// reportedDeviceIsAllocated lets stay what was reported of devices that were not allocated any more before the write. An API
// server takes that away together with the allocation, whoever writes; for a custom resource nobody does, and no client that
// does not know of reports could allocate the claim again.
var reportedDeviceIsAllocated = Rule{
	Name:          "reported-device-is-allocated",
	Reason:        "Only of allocated devices is anything reported, from 1.34 on of their shares; what was reported before they were freed may stay.",
	Source:        "Kubernetes 1.32 to 1.37 DT25",
	asked:         onStatus,
	since:         release1_32,
	ofLaterFields: true,
	transition:    true,
	check: func(w *write, refuse refuse) {
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
				refuse(field.Invalid(devicesPath.Index(i), field.OmitValueType{}, "must be an allocated device in the claim"))
			}
		}
	},
}

// reportedDevicesAreUnique: up to 1.34 the error names a field that no version has.
var reportedDevicesAreUnique = Rule{
	Name:          "reported-devices-are-unique",
	Reason:        "Of a device, or a share of it, there is one report.",
	Source:        "Kubernetes 1.32 to 1.37 DT26",
	asked:         onStatus,
	since:         release1_32,
	ofLaterFields: true,
	check: func(w *write, refuse refuse) {
		ids := make([]deviceID, len(w.new.devices))
		for i := range w.new.devices {
			ids[i] = idOfStatus(&w.new.devices[i])
		}
		for i := range repeated(ids) {
			refuse(field.Duplicate(w.repeatedAt(devicesPath.Index(i), "deviceID"), field.OmitValueType{}))
		}
	},
}

var reportedDataAtMost10KiB = Rule{
	Name:          "reported-data-at-most-10-kib",
	Reason:        "The data that a driver reports of a device has at most 10,240 bytes, as it is written.",
	Source:        "Kubernetes 1.32 to 1.37 DT29",
	asked:         onStatus,
	since:         release1_32,
	ofLaterFields: true,
	check: func(w *write, refuse refuse) {
		for i := range w.new.devices {
			if data := w.new.devices[i].Data; data != nil && len(data.Raw) > v1.AllocatedDeviceStatusDataMaxLength {
				refuse(field.TooLong(deviceField(i, "data")(), "", v1.AllocatedDeviceStatusDataMaxLength))
			}
		}
	},
}

var reportedDataIsObject = Rule{
	Name:          "reported-data-is-an-object",
	Reason:        "The data that a driver reports of a device is a JSON object, when there is any.",
	Source:        "Kubernetes 1.32 to 1.37 DT29",
	asked:         onStatus,
	since:         release1_32,
	ofLaterFields: true,
	check: func(w *write, refuse refuse) {
		for i := range w.new.devices {
			if data := w.new.devices[i].Data; data != nil && len(data.Raw) > 0 && len(data.Raw) <= v1.AllocatedDeviceStatusDataMaxLength {
				checkParameters(data.Raw, deviceField(i, "data"), refuse)
			}
		}
	},
}
