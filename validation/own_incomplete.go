package validation

import (
	"errors"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/conversion"
)

// incompleteLabel marks a copy that its leftovers did not fit into.
const incompleteLabel = ourDomain + "incomplete"

// incompleteCopyIsNotWrittenBack leaves to conversion which part of the copy is still needed: an object that is being
// deleted needs nothing, a status without allocation nothing of it.
var incompleteCopyIsNotWrittenBack = Rule{
	Name: "incomplete-copy-is-not-written-back",
	Reason: "A copy that lacks what only newer versions can say, by its label or for a field that cannot be read, " +
		"would lose that if it were written back.",
	Source: "claimbridge",
	asked:  onAny,
	check: func(w *write, refuse refuser) {
		at := w.metadataPath.Child("labels").Key(incompleteLabel)
		switch {
		case w.stored.incompleteNew != nil:
			var e *conversion.Error
			if errors.As(w.stored.incompleteNew, &e) && e.Field != "" { // it is there, but cannot be used
				at = field.NewPath(e.Field)
			}
			refuse(field.Forbidden(at, withoutHeader(w.stored.incompleteNew)))
		case w.stored.incompleteOld != nil && w.op == Update:
			refuse(field.Forbidden(at,
				"the label was removed, but this copy still is incomplete: "+withoutHeader(w.stored.incompleteOld)))
		}
	},
}

// withoutHeader is the cause of a conversion error; which object it is the client knows.
func withoutHeader(err error) string {
	if e, is := errors.AsType[*conversion.Error](err); is {
		return e.Err.Error()
	}
	return err.Error()
}
