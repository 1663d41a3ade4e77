package preflight

import (
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

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
