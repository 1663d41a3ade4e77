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

// ofEachHandle is a rule about one resource handle, whatever the others are. number is that of upstream's check.
func ofEachHandle(name, reason, number string, check func(w *write, at *field.Path, h *v1alpha2.ResourceHandle, refuse refuse)) Rule {
	return Rule{Name: name, Reason: reason, Source: "Kubernetes 1.30 " + number, asked: onStatus, check: func(w *write, refuse refuse) {
		for i := range w.new.classicStatus.handles {
			check(w, handlesPath.Index(i), &w.new.classicStatus.handles[i], refuse)
		}
	}}
}

var resourceHandleDriverNameIsValid = ofEachHandle("resource-handle-driver-name-is-valid",
	"Each resource handle names its driver, although the kubelet could fall back on status.driverName.",
	"CT5", func(w *write, at *field.Path, h *v1alpha2.ResourceHandle, refuse refuse) {
		w.checkDriverName(h.DriverName, func() *field.Path { return at.Child("driverName") }, refuse)
	})

var resourceHandleDataAtMost16KiB = ofEachHandle("resource-handle-data-at-most-16-kib", "The data of a resource handle has at most 16384 bytes (bytes, not characters).",
	"CT6", func(_ *write, at *field.Path, h *v1alpha2.ResourceHandle, refuse refuse) {
		if len(h.Data) > v1alpha2.ResourceHandleDataMaxSize {
			refuse(field.TooLong(at.Child("data"), "", v1alpha2.ResourceHandleDataMaxSize))
		}
	})

var resourceHandleHasOneKindOfData = ofEachHandle("resource-handle-has-one-kind-of-data", "A resource handle has data or structuredData, not both.",
	"CT7", func(_ *write, at *field.Path, h *v1alpha2.ResourceHandle, refuse refuse) {
		if h.Data != "" && h.StructuredData != nil {
			refuse(field.Invalid(at, field.OmitValueType{}, "data and structuredData are mutually exclusive"))
		}
	})
