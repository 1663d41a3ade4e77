package validation

import "k8s.io/apimachinery/pkg/util/validation/field"

var deallocationAfterLastReservation = Rule{
	Name:       "deallocation-after-last-reservation",
	Reason:     "Deallocation may be asked for only when nobody uses the claim.",
	Source:     "Kubernetes 1.26 CT21, 1.30 CT21, 1.31 DT9",
	asked:      onStatus,
	transition: true,
	check: func(w *write, refuse refuser) {
		if !w.old.use.deallocationRequested && w.new.use.deallocationRequested && len(w.new.use.consumers) > 0 {
			refuse(field.Forbidden(statusPath.Child("deallocationRequested"),
				"deallocation cannot be requested while `reservedFor` is set"))
		}
	},
}

// deallocationNeedsAllocation looks at the result only: either field may be the one that was changed wrongly.
var deallocationNeedsAllocation = Rule{
	Name:   "deallocation-needs-allocation",
	Reason: "Only what is allocated can be deallocated; the allocation is removed together with the request.",
	Source: "Kubernetes 1.26 CT22, 1.30 CT22, 1.31 DT9",
	asked:  onStatus,
	check: func(w *write, refuse refuser) {
		if w.new.use.deallocationRequested && !w.new.use.allocated {
			refuse(field.Forbidden(statusPath, "`allocation` must be set when `deallocationRequested` is set"))
		}
	},
}

var deallocationRequestStays = Rule{
	Name: "deallocation-request-stays",
	Reason: "A request for deallocation is not taken back, as the driver may have begun: only the removed " +
		"allocation ends it.",
	Source:     "Kubernetes 1.26 CT23, 1.30 CT23, 1.31 DT9",
	asked:      onStatus,
	transition: true,
	check: func(w *write, refuse refuser) {
		if w.old.use.deallocationRequested && !w.new.use.deallocationRequested && w.new.use.allocated {
			refuse(field.Forbidden(statusPath.Child("deallocationRequested"),
				"may not be cleared when `allocation` is set"))
		}
	},
}
