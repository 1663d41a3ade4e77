package preflight

import (
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// hook is a webhook of one of our two configurations that is about our group.
type hook struct {
	object   Object
	field    string
	index    int // in its configuration
	wantPath string
	config   admissionregistrationv1.WebhookClientConfig
	rules    []admissionregistrationv1.RuleWithOperations
	optional bool
	exact    bool
	// exempts names the fields that keep writes away from it.
	exempts []string
}

func (v *view) hooks() []hook { return append(v.validatingHooks(), v.mutatingHooks()...) }

func (v *view) validatingHooks() (all []hook) {
	configuration, _ := v.validating()
	if configuration == nil {
		return nil
	}
	for i, w := range configuration.Webhooks {
		h := hook{
			index:  i,
			object: validatingConfigurations.object("", configuration.Name), field: "webhooks[" + w.Name + "]", wantPath: "/validate",
			config: w.ClientConfig, rules: w.Rules, optional: isIgnore(w.FailurePolicy), exact: isExact(w.MatchPolicy),
			exempts: exempts(w.NamespaceSelector, w.ObjectSelector, w.MatchConditions),
		}
		if h.isAbout(v.options.Group) {
			all = append(all, h)
		}
	}
	return all
}

func (v *view) mutatingHooks() (all []hook) {
	configuration, _ := v.mutating()
	if configuration == nil {
		return nil
	}
	for i, w := range configuration.Webhooks {
		h := hook{
			index:  i,
			object: mutatingConfigurations.object("", configuration.Name), field: "webhooks[" + w.Name + "]", wantPath: "/default",
			config: w.ClientConfig, rules: w.Rules, optional: isIgnore(w.FailurePolicy), exact: isExact(w.MatchPolicy),
			exempts: exempts(w.NamespaceSelector, w.ObjectSelector, w.MatchConditions),
		}
		if h.isAbout(v.options.Group) {
			all = append(all, h)
		}
	}
	return all
}

// isOurs tells a webhook of our configurations from one of somebody else.
func (v *view) isOurs(webhook string) bool {
	return slices.ContainsFunc(v.aside().hooks(), func(h hook) bool { return h.field == "webhooks["+webhook+"]" })
}

func (h hook) isAbout(group string) bool {
	return slices.ContainsFunc(h.rules, func(r admissionregistrationv1.RuleWithOperations) bool { return has(r.APIGroups, group) })
}

// covers reports whether a rule names this write.
func (h hook) covers(w write, group string) bool {
	return slices.ContainsFunc(h.rules, func(r admissionregistrationv1.RuleWithOperations) bool {
		return has(r.APIGroups, group) && has(r.APIVersions, w.version) && has(r.Operations, w.operation) &&
			slices.ContainsFunc(r.Resources, w.named) &&
			deref(r.Scope, admissionregistrationv1.AllScopes) != admissionregistrationv1.ClusterScope
	})
}

// has a value, or the wildcard.
func has[T ~string](values []T, value T) bool {
	return slices.Contains(values, value) || slices.Contains(values, "*")
}

func isIgnore(p *admissionregistrationv1.FailurePolicyType) bool {
	return deref(p, admissionregistrationv1.Fail) == admissionregistrationv1.Ignore
}

func isExact(p *admissionregistrationv1.MatchPolicyType) bool {
	return deref(p, admissionregistrationv1.Equivalent) == admissionregistrationv1.Exact
}

func exempts(namespaces, objects *metav1.LabelSelector, conditions []admissionregistrationv1.MatchCondition) (fields []string) {
	if selects(namespaces) {
		fields = append(fields, "namespaceSelector")
	}
	if selects(objects) {
		fields = append(fields, "objectSelector")
	}
	if len(conditions) > 0 {
		fields = append(fields, "matchConditions")
	}
	return fields
}

func selects(s *metav1.LabelSelector) bool {
	return s != nil && len(s.MatchLabels)+len(s.MatchExpressions) > 0
}
