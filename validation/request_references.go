package validation

import (
	"iter"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
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
			for i := range w.constraints() {
				names := w.constraints()[i].Requests
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
	Source: "Kubernetes 1.31+ DS24 DS31 DT21",
	asked:  onAny,
	check: func(w *write, refuse refuse) {
		for list := range w.requestLists() {
			if n := len(list.names); n > v1.DeviceRequestsMaxSize {
				refuse(w.tooMany(list.at(), n, v1.DeviceRequestsMaxSize))
			}
		}
	},
}

var referencedRequestsAreUnique = Rule{
	Name:   "referenced-requests-are-unique",
	Reason: "A constraint or an entry of configuration refers to a request once.",
	Source: "Kubernetes 1.31+ DS24 DS31 DT21",
	asked:  onAny,
	check: func(w *write, refuse refuse) {
		for list := range w.requestLists() {
			for i := range repeated(judged(w, list.names, v1.DeviceRequestsMaxSize)) {
				refuse(field.Duplicate(list.at().Index(i), shown(list.names[i])))
			}
		}
	},
}

var referencedRequestExists = Rule{
	Name:   "referenced-request-exists",
	Reason: "Constraints, configuration and results refer to requests that the claim's spec has.",
	Source: "Kubernetes 1.31+ DS25 DT11",
	asked:  onAny,
	check: func(w *write, refuse refuse) {
		spec := w.new.structured
		if w.op == UpdateStatus { // the API server restores the spec
			spec = w.old.structured
		}
		known := make(map[string]bool, len(spec.Devices.Requests))
		for i := range spec.Devices.Requests {
			r := &spec.Devices.Requests[i]
			known[r.Name] = true
			for j := range r.FirstAvailable {
				known[r.Name+"/"+r.FirstAvailable[j].Name] = true
			}
		}
		if w.op == UpdateStatus {
			for i := range w.results() {
				w.checkReference(w.results()[i].Request, known, resultField(i, "request"), refuse)
			}
		}
		for list := range w.requestLists() {
			for i, name := range judged(w, list.names, v1.DeviceRequestsMaxSize) {
				w.checkReference(name, known, func() *field.Path { return list.at().Index(i) }, refuse)
			}
		}
	},
}

// checkReference refuses what is not the name of a request, or from 1.33 on of an alternative behind that of its request. A
// name can be wrong in several ways at once. In 1.31 alternatives are a later field, and so is what refers to one.
func (w *write) checkReference(name string, known map[string]bool, at func() *field.Path, refuse refuse) {
	const unknown = "must be the name of a request in the claim"
	if w.release == release1_32 || !strings.Contains(name, "/") {
		checkLabel(name, at, refuse)
	} else {
		parts := strings.Split(name, "/")
		if len(parts) > 2 {
			refuse(invalidName(at(), name, unknown+", or that of a request and one of its alternatives with a slash between"))
			return
		}
		for _, part := range parts {
			checkLabel(part, at, refuse)
		}
	}
	if !known[name] && !w.specUnread {
		refuse(invalidName(at(), name, unknown))
	}
}
