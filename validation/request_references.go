package validation

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// references are lists of names of requests that this write is about: of constraints and configuration.
var references = items[[]string]{asked: onAny, each: func(w *write, check check[[]string], refuse refuser) {
	if w.op != UpdateStatus {
		constraints.each(w, func(w *write, c *v1.DeviceConstraint, at place, refuse refuser) {
			check(w, c.Requests, at.child("requests"), refuse)
		}, refuse)
	}
	configurations.each(w, func(w *write, c configuration, at place, refuse refuser) {
		check(w, c.requests, at.child("requests"), refuse)
	}, refuse)
}}

var referencedRequestsAtMost32 = references.rule("referenced-requests-at-most-32",
	"A constraint or an entry of configuration refers to at most 32 requests; to none means to all.",
	"Kubernetes 1.31+ DS24 DS31 DT21", func(w *write, names []string, at place, refuse refuser) {
		if n := len(names); n > v1.DeviceRequestsMaxSize {
			refuse(w.tooMany(at.path(), n, v1.DeviceRequestsMaxSize))
		}
	})

var referencedRequestsAreUnique = references.rule("referenced-requests-are-unique",
	"A constraint or an entry of configuration refers to a request once.",
	"Kubernetes 1.31+ DS24 DS31 DT21", func(w *write, names []string, at place, refuse refuser) {
		for i := range repeated(judged(w, names, v1.DeviceRequestsMaxSize)) {
			refuse(field.Duplicate(at.path().Index(i), shown(names[i])))
		}
	})

var referencedRequestExists = Rule{
	Name:   "referenced-request-exists",
	Reason: "Constraints, configuration and results refer to requests that the claim's spec has.",
	Source: "Kubernetes 1.31+ DS25 DT11",
	asked:  onAny,
	check: func(w *write, refuse refuser) {
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
			results.each(w, func(_ *write, r *v1.DeviceRequestAllocationResult, at place, refuse refuser) {
				w.checkReference(r.Request, known, at.child("request"), refuse)
			}, refuse)
		}
		references.each(w, func(_ *write, names []string, at place, refuse refuser) {
			for i, name := range judged(w, names, v1.DeviceRequestsMaxSize) {
				w.checkReference(name, known, at.index(i), refuse)
			}
		}, refuse)
	},
}

// checkReference refuses what is not the name of a request, or from 1.33 on of an alternative
// behind that of its request. A name can be wrong in several ways at once. In 1.31 alternatives are
// a later field, and so is what refers to one.
func (w *write) checkReference(name string, known map[string]bool, at place, refuse refuser) {
	const unknown = "must be the name of a request in the claim"
	if w.release == release1_32 || !strings.Contains(name, "/") {
		checkLabel(name, at, refuse)
	} else {
		parts := strings.Split(name, "/")
		if len(parts) > 2 {
			refuse(invalidName(at.path(), name,
				unknown+", or that of a request and one of its alternatives with a slash between"))
			return
		}
		for _, part := range parts {
			checkLabel(part, at, refuse)
		}
	}
	if !known[name] && !w.specUnread {
		refuse(invalidName(at.path(), name, unknown))
	}
}
