package preflight

import (
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

// write that an API server can ask a webhook about.
type write struct {
	operation         admissionregistrationv1.OperationType
	resource, version string
}

// named by a resource of a rule, as API servers have it: * is all resources without their subresources, pods/* is pods with
// all of theirs.
func (w write) named(pattern string) bool {
	resource, subresource, _ := strings.Cut(w.resource, "/")
	patternResource, patternSubresource, _ := strings.Cut(pattern, "/")
	return (patternResource == "*" || patternResource == resource) && (patternSubresource == "*" || patternSubresource == subresource)
}

// expand rules into the writes that they name.
func expand(rules []admissionregistrationv1.RuleWithOperations) (all []write) {
	for _, r := range rules {
		for _, version := range r.APIVersions {
			for _, resource := range r.Resources {
				for _, operation := range r.Operations {
					all = append(all, write{operation, resource, version})
				}
			}
		}
	}
	return all
}
