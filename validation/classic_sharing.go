package validation

import "k8s.io/apimachinery/pkg/util/validation/field"

// reservedOnceUnlessShareable has no counterpart in v1alpha3, where every claim can be shared (DT6).
var reservedOnceUnlessShareable = Rule{
	Name:   "reserved-once-unless-shareable",
	Reason: "A claim whose allocation is not shareable has at most one consumer.",
	Source: "Kubernetes 1.26 CT18, 1.30 CT18",
	asked:  onStatus,
	check: func(w *write, refuse refuse) {
		if w.new.use.allocated && !w.new.classicStatus.shareable && len(w.new.use.consumers) > 1 {
			refuse(field.Forbidden(reservedForPath, "may not be reserved more than once"))
		}
	},
}
