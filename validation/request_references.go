package validation

import (
	"iter"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// requestReferenceRules are about names of requests in constraints, configuration and results.
var requestReferenceRules = []Rule{
	{
		Name: "referenced-requests-at-most-32",
		Reason: "A constraint or an entry of configuration refers to at most 32 requests. Without references, it " +
			"applies to all requests.",
		Source:     "Kubernetes 1.31+ DS24 DS31 DT21",
		Since:      release1_31,
		operations: onAny,
		check: func(in *input) (errs field.ErrorList) {
			for path, requests := range in.requestReferences() {
				errs = add(errs, in.validateLength(len(requests), v1.DeviceRequestsMaxSize, path)...)
			}
			return errs
		},
	},
	{
		Name:       "referenced-requests-are-unique",
		Reason:     "A constraint or an entry of configuration refers to a request only once.",
		Source:     "Kubernetes 1.31+ DS24 DS31 DT21",
		Since:      release1_31,
		operations: onAny,
		check: func(in *input) (errs field.ErrorList) {
			for path, requests := range in.requestReferences() {
				for i := range duplicates(validatedItems(in, requests, v1.DeviceRequestsMaxSize)) {
					errs = add(errs, field.Duplicate(path.Index(i), nameValue(requests[i])))
				}
			}
			return errs
		},
	},
	{
		Name:       "referenced-request-exists",
		Reason:     "Constraints, configuration and results refer to requests of the claim's spec.",
		Source:     "Kubernetes 1.31+ DS25 DT11",
		Since:      release1_31,
		operations: onAny,
		check:      checkReferencedRequestsExist,
	},
}

// requestReferences returns the lists of names of requests in constraints and configuration, with their paths.
func (in *input) requestReferences() iter.Seq2[*field.Path, []string] {
	return func(yield func(*field.Path, []string) bool) {
		if in.operation != UpdateStatus {
			for i, c := range in.constraints() {
				if !yield(in.constraintPath(i).Child("requests"), c.Requests) {
					return
				}
			}
		}
		for path, c := range in.configs() {
			if !yield(path.Child("requests"), c.requests) {
				return
			}
		}
	}
}

func checkReferencedRequestsExist(in *input) (errs field.ErrorList) {
	known := in.requestNames()
	if in.operation == UpdateStatus {
		for i, r := range in.allocatedResults() {
			errs = add(errs, in.validateRequestReference(r.Request, known, resultsPath.Index(i).Child("request"))...)
		}
	}
	for path, requests := range in.requestReferences() {
		for i, name := range validatedItems(in, requests, v1.DeviceRequestsMaxSize) {
			errs = add(errs, in.validateRequestReference(name, known, path.Index(i))...)
		}
	}
	return errs
}

// requestNames returns the names of the requests of the claim, and of their alternatives in the form
// request/alternative.
func (in *input) requestNames() map[string]bool {
	spec := in.new.spec
	if in.operation == UpdateStatus { // the API server restores the old spec
		spec = in.old.spec
	}
	known := make(map[string]bool, len(spec.Devices.Requests))
	for i := range spec.Devices.Requests {
		r := &spec.Devices.Requests[i]
		known[r.Name] = true
		for j := range r.FirstAvailable {
			known[r.Name+"/"+r.FirstAvailable[j].Name] = true
		}
	}
	return known
}

// validateRequestReference rejects a text that is not the name of a request, or request/alternative. It can return
// several errors for one name.
func (in *input) validateRequestReference(name string, known map[string]bool, path *field.Path) field.ErrorList {
	const unknown = "must be the name of a request in the claim"
	parts := []string{name}
	if in.release.splitsRequestNames() {
		parts = strings.Split(name, "/")
	}
	if len(parts) > 2 {
		return invalidName(path, name, unknown+", or that of a request and one of its alternatives with a slash between")
	}
	var errs field.ErrorList
	for _, part := range parts {
		errs = append(errs, validateLabel(part, path)...)
	}
	if !known[name] && !in.mode.isSpecUnreadable {
		errs = append(errs, invalidName(path, name, unknown)...)
	}
	return errs
}
