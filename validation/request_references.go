package validation

import (
	"iter"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// references is a list of names of requests, with its place.
type references struct {
	names []string
	at    func() *field.Path
}

// requestLists that this write is about: of constraints and configuration.
func (w *write) requestLists() iter.Seq[references] {
	return func(yield func(references) bool) {
		if w.op != UpdateStatus {
			for i := range w.new.structured.Devices.Constraints {
				names := w.new.structured.Devices.Constraints[i].Requests
				at := func() *field.Path { return w.constraintsPath().Index(i).Child("requests") }
				if !yield(references{names, at}) {
					return
				}
			}
		}
		for c := range w.configurations() {
			if !yield(references{c.requests, func() *field.Path { return c.at().Child("requests") }}) {
				return
			}
		}
	}
}

var referencedRequestsAtMost32 = Rule{
	Name:   "referenced-requests-at-most-32",
	Reason: "A constraint or an entry of configuration refers to at most 32 requests; to none means to all.",
	Source: "Kubernetes 1.31 DS24 DS31 DT21",
	asked:  onAny,
	check: func(w *write, refuse refuse) {
		for list := range w.requestLists() {
			if n := len(list.names); n > v1alpha3.DeviceRequestsMaxSize {
				refuse(tooManyItems(list.at(), n, v1alpha3.DeviceRequestsMaxSize))
			}
		}
	},
}

var referencedRequestsAreUnique = Rule{
	Name:   "referenced-requests-are-unique",
	Reason: "A constraint or an entry of configuration refers to a request once.",
	Source: "Kubernetes 1.31 DS24 DS31 DT21",
	asked:  onAny,
	check: func(w *write, refuse refuse) {
		for list := range w.requestLists() {
			seen := make(map[string]bool, len(list.names))
			for i, name := range list.names {
				if seen[name] {
					refuse(field.Duplicate(list.at().Index(i), shown(name)))
				}
				seen[name] = true
			}
		}
	},
}

var referencedRequestExists = Rule{
	Name:   "referenced-request-exists",
	Reason: "Constraints, configuration and results refer to requests that the claim's spec has.",
	Source: "Kubernetes 1.31 DS25 DT11",
	asked:  onAny,
	check: func(w *write, refuse refuse) {
		spec := w.new.structured
		if w.op == UpdateStatus { // the API server restores the spec
			spec = w.old.structured
		}
		known := make(map[string]bool, len(spec.Devices.Requests))
		for i := range spec.Devices.Requests {
			known[spec.Devices.Requests[i].Name] = true
		}
		// A name can be wrong in both ways at once.
		check := func(name string, at func() *field.Path) {
			checkLabel(name, at, refuse)
			if !known[name] && !w.specUnread {
				refuse(invalidName(at(), name, "must be the name of a request in the claim"))
			}
		}
		if w.op == UpdateStatus {
			for i, result := range w.allocated().Results {
				check(result.Request, resultField(i, "request"))
			}
		}
		for list := range w.requestLists() {
			for i, name := range list.names {
				check(name, func() *field.Path { return list.at().Index(i) })
			}
		}
	},
}
