package validation

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// storedContentIsValid asks the newest version's own rules. Whatever is valid as sent and honestly carried is valid as
// stored: what fails here was put into a leftover by hand.
var storedContentIsValid = Rule{
	Name:   "stored-content-is-valid",
	Reason: "What is stored keeps the rules of the version that it is stored in.",
	Source: "claimbridge",
	asked:  onCreate | onStatus, // an update stores the spec that is stored
	check: func(w *write, refuse refuse) {
		if !w.converted() {
			return // judged as sent
		}
		at := w.carrierPath("spec")
		request := Request{Operation: w.op, Object: w.stored.new.object()}
		if w.op == UpdateStatus { // the annotations are the stored ones
			at = statusPath
			request.OldObject = w.stored.old.object()
		}
		inStorage, err := read(request)
		if err != nil {
			refuse(field.InternalError(at, fmt.Errorf("as stored: %w", err)))
			return
		}
		inStorage.selectors = w.selectors
		var content []Rule
		for _, r := range upstreamRules(inStorage.version, inStorage.kind) {
			if !r.transition {
				content = append(content, r)
			}
		}
		for _, e := range ask(content, inStorage) {
			refuse(field.Invalid(at, field.OmitValueType{}, fmt.Sprintf("stored in %s it would break the rule %s there: %s: %s: %s",
				inStorage.version, e.Rule, e.Field, e.Type, e.Detail)))
		}
	},
}
