package validation

import "k8s.io/apimachinery/pkg/util/validation/field"

var statusDriverNameIsValid = Rule{
	Name:   "status-driver-name-is-valid",
	Reason: "status.driverName, when set, is a driver's name: at most 63 bytes, a DNS subdomain but for upper case.",
	Source: "Kubernetes 1.26 CT1, 1.30 CT1",
	asked:  onStatus,
	check: func(w *write, refuse refuser) {
		if name := w.new.classicStatus.driverName; name != "" {
			w.checkDriverName(name, placeOf(statusPath).child("driverName"), refuse)
		}
	},
}

var allocationHasDriverName = Rule{
	Name:   "allocation-has-driver-name",
	Reason: "Whoever allocates says which driver it was: status.driverName is set together with status.allocation.",
	Source: "Kubernetes 1.26 CT2, 1.30 CT2",
	asked:  onStatus,
	check: func(w *write, refuse refuser) {
		if w.new.classicStatus.driverName == "" && w.new.use.allocated {
			refuse(field.Required(statusPath.Child("driverName"), "must be specified when `allocation` is set"))
		}
	},
}
