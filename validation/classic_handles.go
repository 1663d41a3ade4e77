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
	check: func(w *write, refuse refuser) {
		if len(w.new.classicStatus.handle) > v1alpha1.ResourceHandleMaxSize {
			refuse(field.TooLong(allocationPath.Child("resourceHandle"), "", v1alpha1.ResourceHandleMaxSize))
		}
	},
}

var resourceHandlesAtMost32 = atMost(v1alpha2.AllocationResultResourceHandlesMaxSize, "resource-handles-at-most-32",
	"An allocation has at most 32 resource handles.",
	"Kubernetes 1.30 CT4", onStatus, func(w *write) (int, place) {
		return len(w.new.classicStatus.handles), placeOf(handlesPath)
	})

// handles of an allocation of v1alpha2.
var handles = items[*v1alpha2.ResourceHandle]{
	asked: onStatus,
	each: func(w *write, check check[*v1alpha2.ResourceHandle], refuse refuser) {
		checkList(w, w.new.classicStatus.handles, placeOf(handlesPath), check, refuse)
	},
}

var resourceHandleDriverNameIsValid = handles.rule("resource-handle-driver-name-is-valid",
	"Each resource handle names its driver, although the kubelet could fall back on status.driverName.",
	"Kubernetes 1.30 CT5", func(w *write, h *v1alpha2.ResourceHandle, at place, refuse refuser) {
		w.checkDriverName(h.DriverName, at.child("driverName"), refuse)
	})

var resourceHandleDataAtMost16KiB = handles.rule("resource-handle-data-at-most-16-kib",
	"The data of a resource handle has at most 16384 bytes (bytes, not characters).",
	"Kubernetes 1.30 CT6", func(_ *write, h *v1alpha2.ResourceHandle, at place, refuse refuser) {
		if len(h.Data) > v1alpha2.ResourceHandleDataMaxSize {
			refuse(field.TooLong(at.path().Child("data"), "", v1alpha2.ResourceHandleDataMaxSize))
		}
	})

var resourceHandleHasOneKindOfData = handles.rule("resource-handle-has-one-kind-of-data",
	"A resource handle has data or structuredData, not both.",
	"Kubernetes 1.30 CT7", func(_ *write, h *v1alpha2.ResourceHandle, at place, refuse refuser) {
		if h.Data != "" && h.StructuredData != nil {
			refuse(field.Invalid(at.path(), field.OmitValueType{}, "data and structuredData are mutually exclusive"))
		}
	})
