package preflight

import (
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

var foreignPoliciesAreKnown = Check{
	Name:     "foreign-policies-are-known",
	Reason:   "A ValidatingAdmissionPolicy that is bound and matches claims may refuse a write, a MutatingAdmissionPolicy may change it. Whether one does now, claims-can-be-written tells.",
	Severity: Warning,
	Remedy:   "Nothing, if that is meant.",
	find: func(v *view) {
		if v.aside().absent() {
			return // there are no claims yet
		}
		v.policies("validatingadmissionpolicies", "ValidatingAdmissionPolicy", "may refuse them")
		v.policies("mutatingadmissionpolicies", "MutatingAdmissionPolicy", "may change them")
	},
}

// policyVersions in which an API server may have them, the newest first. It may have none.
var policyVersions = []string{"v1", "v1beta1", "v1alpha1"}

func (v *view) policies(plural, kind, does string) {
	for _, version := range policyVersions {
		r := resource{"admissionregistration.k8s.io", version, plural, kind}
		if _, err := v.cluster.get(v.ctx, asJSON, r.path("", ""), nil); apierrors.IsNotFound(err) {
			continue
		}
		all, _ := list[policy](v, r, "", "")
		r.plural, r.kind = strings.TrimSuffix(plural, "ies")+"ybindings", kind+"Binding"
		bindings, seen := list[binding](v, r, "", "")
		for _, p := range all {
			if bound := boundBy(p.Name, bindings); v.concerns(p) && (!seen || len(bound) > 0) {
				v.report(Object{Kind: kind, Name: p.Name}, fmt.Sprintf("matches writes of claims and %s (%s)", does, strings.Join(bound, ", ")),
					say("nothing, if that is meant; --skip=%s leaves it out", v.check.Name))
			}
		}
		return
	}
}

// boundBy names the bindings by which a policy does more than to warn and to audit.
func boundBy(policy string, all []binding) (names []string) {
	for _, b := range all {
		acts := len(b.Spec.ValidationActions) == 0 || slices.Contains(b.Spec.ValidationActions, "Deny")
		if b.Spec.PolicyName == policy && acts {
			names = append(names, "binding "+b.Name)
		}
	}
	return names
}
