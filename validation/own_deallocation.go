package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// deallocationRequestIsKept guards the hand-shake of a driver of 1.31 and before, which v1beta1 and
// later versions have in a field of claimbridge. Such clients as do not know it write a status without it,
// which takes the request back: that is allowed, where 1.31 would not allow it, since no client
// could be told.
var deallocationRequestIsKept = Rule{
	Name: "deallocation-request-is-kept",
	Reason: "While the devices of a claim are to be freed nobody new may use them, through whatever version; " +
		"what is free is not to be freed.",
	Source:     "claimbridge",
	asked:      onStatus,
	transition: true,
	check: func(w *write, refuse refuser) {
		if w.new.structured == nil || w.release <= release1_31 || !w.new.use.deallocationRequested {
			return // upstream's own rules have been asked
		}
		at := statusPath.Child("claimbridgeDeallocationRequested")
		switch {
		case !w.new.use.allocated:
			refuse(field.Forbidden(at, "is removed together with `allocation`"))
		case !w.old.use.deallocationRequested && len(w.new.use.consumers) > 0:
			refuse(field.Forbidden(at, "deallocation cannot be requested while `reservedFor` is set"))
		case addsConsumer(w.old.use.consumers, w.new.use.consumers):
			refuse(field.Forbidden(reservedForPath,
				"new entries may not be added while `claimbridgeDeallocationRequested` is set"))
		}
	},
}
