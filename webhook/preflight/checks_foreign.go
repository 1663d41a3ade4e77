package preflight

import (
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// foreignChecks are about what others have configured about claims.
var foreignChecks = []Check{
	foreignWebhooksAnswer,
	foreignPoliciesAreKnown,
}

var foreignWebhooksAnswer = Check{
	Name:     "foreign-webhooks-answer",
	Reason:   "Webhooks of other programs whose rules match claims may refuse a write, or change it; one that does not answer makes every write fail. Those that can be called are only warned of, by name.",
	Severity: Problem,
	Remedy:   "Start the program that the webhook belongs to, or have its owner leave claims out of its rules.",
	find: func(v *view) {
		if v.aside().absent() {
			return // there are no claims yet
		}
		for _, hook := range v.foreignHooks() {
			field := "webhooks[" + hook.Name + "]"
			optional, dead := isIgnore(hook.FailurePolicy), v.dead(hook)
			switch {
			case dead != "" && !optional:
				v.report(hook.object, fmt.Sprintf("%s is asked about writes of claims, which fail: %s", field, dead),
					say("start what it belongs to, or have its owner leave claims out of its rules").by(v.kubectl("get", hook.object.Kind, hook.object.Name, "-o", "yaml")))
			case dead != "":
				v.warn(hook.object, fmt.Sprintf("%s is asked about writes of claims, which wait for it in vain: %s", field, dead),
					say("start what it belongs to, or have its owner leave claims out of its rules").by(v.kubectl("get", hook.object.Kind, hook.object.Name, "-o", "yaml")))
			case !optional || hook.object.Kind == mutatingConfigurations.kind:
				v.warn(hook.object, field+" is asked about writes of claims too, and may refuse or change them",
					say("nothing, if that is meant; --skip=%s leaves it out", v.check.Name))
			}
		}
	},
}

// dead says why nobody can answer a webhook, or nothing.
func (v *view) dead(hook foreignHook) string {
	s := hook.ClientConfig.Service
	if s == nil {
		return ""
	}
	service, seen := v.service(s.Namespace, s.Name)
	if service == nil {
		if seen {
			return fmt.Sprintf("Service %s/%s does not exist", s.Namespace, s.Name)
		}
		return ""
	}
	port := portOf(service, deref(s.Port, httpsPort))
	switch {
	case service.Spec.Type == corev1.ServiceTypeExternalName:
		return ""
	case port == nil:
		return fmt.Sprintf("Service %s/%s has no port %d", s.Namespace, s.Name, deref(s.Port, httpsPort))
	}
	slices, seen := list[discoveryv1.EndpointSlice](v, endpointSlices, s.Namespace, discoveryv1.LabelServiceName+"="+s.Name)
	if why := unreachable(slices, port); seen && why != "" {
		return fmt.Sprintf("Service %s/%s %s", s.Namespace, s.Name, why)
	}
	return ""
}

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
	all, r, there := policiesOf[policy](v, plural, kind)
	if !there {
		return
	}
	r.plural, r.kind = strings.TrimSuffix(plural, "ies")+"ybindings", kind+"Binding"
	bindings, seen := list[binding](v, r, "", "")
	for _, p := range all {
		if bound := boundBy(p.Name, bindings); v.concerns(p) && (!seen || len(bound) > 0) {
			v.report(Object{Kind: kind, Name: p.Name}, fmt.Sprintf("matches writes of claims and %s (%s)", does, strings.Join(bound, ", ")),
				say("nothing, if that is meant; --skip=%s leaves it out", v.check.Name))
		}
	}
}

// policiesOf a kind, and where they are: in the newest version in which the API server has the kind, if it has it.
func policiesOf[T any](v *view, plural, kind string) (all []T, r resource, there bool) {
	for _, version := range policyVersions {
		r = resource{"admissionregistration.k8s.io", version, plural, kind}
		if _, err := v.cluster.get(v.ctx, r.path("", ""), nil); !apierrors.IsNotFound(err) {
			all, _ = list[T](v, r, "", "")
			return all, r, true
		}
	}
	return nil, resource{}, false
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

// matches reports whether a rule of anybody's names writes of claims or templates of our group.
func (v *view) matches(r admissionregistrationv1.RuleWithOperations) bool {
	plural := func(pattern string) bool {
		resource, subresource, _ := strings.Cut(pattern, "/")
		return (resource == "*" || resource == claims || resource == templates) && slices.Contains([]string{"", "*", "status"}, subresource)
	}
	return has(r.APIGroups, v.options.Group) && slices.ContainsFunc(r.Resources, plural) &&
		deref(r.Scope, admissionregistrationv1.AllScopes) != admissionregistrationv1.ClusterScope &&
		slices.ContainsFunc(r.Operations, func(o admissionregistrationv1.OperationType) bool { return o != admissionregistrationv1.Connect })
}

// foreignHook is a webhook of a configuration that is not ours.
type foreignHook struct {
	Name          string                                       `json:"name"`
	ClientConfig  admissionregistrationv1.WebhookClientConfig  `json:"clientConfig"`
	Rules         []admissionregistrationv1.RuleWithOperations `json:"rules"`
	FailurePolicy *admissionregistrationv1.FailurePolicyType   `json:"failurePolicy"`
	// Object that it is in.
	object Object
}

// foreignHooks that are asked about claims.
func (v *view) foreignHooks() (all []foreignHook) {
	for _, kind := range []resource{validatingConfigurations, mutatingConfigurations} {
		configurations, _ := list[struct {
			metav1.ObjectMeta `json:"metadata"`
			Webhooks          []foreignHook `json:"webhooks"`
		}](v, kind, "", "")
		for _, configuration := range configurations {
			for _, hook := range configuration.Webhooks {
				if hook.object = kind.object("", configuration.Name); configuration.Name != name && slices.ContainsFunc(hook.Rules, v.matches) {
					all = append(all, hook)
				}
			}
		}
	}
	return all
}

// policy of an API server's own admission, of any kind.
type policy struct {
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		MatchConstraints *struct {
			ResourceRules []admissionregistrationv1.NamedRuleWithOperations `json:"resourceRules"`
		} `json:"matchConstraints"`
	} `json:"spec"`
}

// binding without which a policy does nothing.
type binding struct {
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		PolicyName        string   `json:"policyName"`
		ValidationActions []string `json:"validationActions"`
	} `json:"spec"`
}

func (v *view) concerns(p policy) bool {
	return p.Spec.MatchConstraints != nil && slices.ContainsFunc(p.Spec.MatchConstraints.ResourceRules,
		func(r admissionregistrationv1.NamedRuleWithOperations) bool { return v.matches(r.RuleWithOperations) })
}
