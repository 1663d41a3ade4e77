package preflight

import (
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/config"
)

var admissionPolicyIsWhole = Check{
	Name:     "admission-policy-is-whole",
	Reason:   "With --admission-policy the server's account may change nothing but the caBundle of what it may patch. Without its binding the policy holds nobody, and a stolen token of that account is worth as much as cluster-admin again. Where neither is there, nobody can tell that there was one.",
	Severity: Problem,
	Remedy:   "Apply the server again, with --admission-policy.",
	find: func(v *view) {
		policy, seen := v.policy()
		binding, boundSeen := v.policyBinding()
		if policy == nil && binding == nil || !seen || !boundSeen || v.certificates() != config.Self {
			return // not installed, or for an account that may patch nothing anyway
		}
		want := &v.options.rendered.policy
		switch {
		case policy == nil:
			v.report(policies.object("", name), "does not exist, though its binding does: the account of the server may change all of what it may patch", v.apply(config.ServerPart))
		case text(policy.Spec) != text(want.Spec):
			v.report(policies.object("", name), "is not that of this release, so the account of the server may be able to change more than the caBundle", v.policyAnew())
		}
		switch {
		case binding == nil:
			v.report(policyBindings.object("", name), "does not exist, so the policy holds nobody: the account of the server may change all of what it may patch", v.apply(config.ServerPart))
		case text(binding.Spec) != text(v.options.rendered.policyBinding.Spec):
			v.report(policyBindings.object("", name), fmt.Sprintf("is not that of this release: it is %s, not %s", text(binding.Spec), text(v.options.rendered.policyBinding.Spec)), v.policyAnew())
		}
	},
}

// policyAnew, since applying takes away no condition and no selector that somebody else has added.
func (v *view) policyAnew() remedy {
	r := v.apply(config.ServerPart)
	r.text = "delete the policy and its binding, then " + r.text
	if r.command != "" {
		r.command = v.kubectl("delete", "--ignore-not-found", "validatingadmissionpolicy,validatingadmissionpolicybinding", name) + " && " + r.command
	}
	return r
}

func (v *view) policy() (policy *admissionregistrationv1.ValidatingAdmissionPolicy, seen bool) {
	return get[admissionregistrationv1.ValidatingAdmissionPolicy](v, policies, "", name)
}

func (v *view) policyBinding() (binding *admissionregistrationv1.ValidatingAdmissionPolicyBinding, seen bool) {
	return get[admissionregistrationv1.ValidatingAdmissionPolicyBinding](v, policyBindings, "", name)
}

// policyObjects that are there.
func (v *view) policyObjects() (all []metav1.Object) {
	if policy, _ := v.policy(); policy != nil {
		all = append(all, policy)
	}
	if binding, _ := v.policyBinding(); binding != nil {
		all = append(all, binding)
	}
	return all
}

// defaultPolicy fills in what an API server does, so that what it stored can be compared.
func defaultPolicy(p *admissionregistrationv1.ValidatingAdmissionPolicy) {
	match := p.Spec.MatchConstraints
	equivalent, all := admissionregistrationv1.Equivalent, admissionregistrationv1.AllScopes
	match.MatchPolicy, match.NamespaceSelector, match.ObjectSelector = &equivalent, &metav1.LabelSelector{}, &metav1.LabelSelector{}
	for i := range match.ResourceRules {
		match.ResourceRules[i].Scope = &all
	}
}
