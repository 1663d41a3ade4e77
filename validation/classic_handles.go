package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

var handlesPath = allocationPath.Child("resourceHandles")

var resourceHandleAtMost16KiB = Rule{
	Name:   "resource-handle-at-most-16-kib",
	Reason: "A resource handle has at most 16384 bytes (bytes, not characters).",
	Source: "Kubernetes 1.26 CT3",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		if len(w.new.classicStatus.handle) > v1alpha1.ResourceHandleMaxSize {
			refuse(field.TooLong(allocationPath.Child("resourceHandle"), "", v1alpha1.ResourceHandleMaxSize))
		}
	},
}

var resourceHandlesAtMost32 = atMost(v1alpha2.AllocationResultResourceHandlesMaxSize, "resource-handles-at-most-32",
	"An allocation has at most 32 resource handles.",
	"Kubernetes 1.30 CT4", onStatus, func(w *write) (int, *field.Path) { return len(w.new.classicStatus.handles), handlesPath })

var resourceHandleDriverNameIsValid = Rule{
	Name:   "resource-handle-driver-name-is-valid",
	Reason: "Each resource handle names its driver, although the kubelet could fall back on status.driverName.",
	Source: "Kubernetes 1.30 CT5",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		for i := range w.new.classicStatus.handles {
			w.checkDriverName(w.new.classicStatus.handles[i].DriverName, func() *field.Path {
				return handlesPath.Index(i).Child("driverName")
			}, refuse)
		}
	},
}

var resourceHandleDataAtMost16KiB = Rule{
	Name:   "resource-handle-data-at-most-16-kib",
	Reason: "The data of a resource handle has at most 16384 bytes (bytes, not characters).",
	Source: "Kubernetes 1.30 CT6",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		for i := range w.new.classicStatus.handles {
			if len(w.new.classicStatus.handles[i].Data) > v1alpha2.ResourceHandleDataMaxSize {
				refuse(field.TooLong(handlesPath.Index(i).Child("data"), "", v1alpha2.ResourceHandleDataMaxSize))
			}
		}
	},
}

var resourceHandleHasOneKindOfData = Rule{
	Name:   "resource-handle-has-one-kind-of-data",
	Reason: "A resource handle has data or structuredData, not both.",
	Source: "Kubernetes 1.30 CT7",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		for i := range w.new.classicStatus.handles {
			if h := &w.new.classicStatus.handles[i]; h.Data != "" && h.StructuredData != nil {
				refuse(field.Invalid(handlesPath.Index(i), field.OmitValueType{}, "data and structuredData are mutually exclusive"))
			}
		}
	},
}
