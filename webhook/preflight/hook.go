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
	// exempts names the fields that keep writes away from it.
	exempts []string
}

func (v *view) hooks() []hook { return append(v.validatingHooks(), v.mutatingHooks()...) }

func (v *view) validatingHooks() []hook {
	configuration, _ := v.validating()
	if configuration == nil {
		return nil
	}
	return v.hooksOf(validatingConfigurations.object("", configuration.Name), "/validate", validatingWebhooks(configuration))
}

func (v *view) mutatingHooks() []hook {
	configuration, _ := v.mutating()
	if configuration == nil {
		return nil
	}
	return v.hooksOf(mutatingConfigurations.object("", configuration.Name), "/default", mutatingWebhooks(configuration))
}

func (v *view) hooksOf(object Object, path string, webhooks []webhook) (all []hook) {
	for i, w := range webhooks {
		h := hook{
			object: object, field: "webhooks[" + w.Name + "]", index: i, wantPath: path,
			config: w.ClientConfig, rules: w.Rules, optional: isIgnore(w.FailurePolicy),
			exempts: exempts(w.NamespaceSelector, w.ObjectSelector, w.MatchConditions),
		}
		if h.isAbout(v.options.Group) {
			all = append(all, h)
		}
	}
	return all
}

// webhook of a configuration of either kind; only a mutating one can be asked again.
type webhook struct {
	admissionregistrationv1.ValidatingWebhook
	reinvocation *admissionregistrationv1.ReinvocationPolicyType
}

func validatingWebhooks(c *admissionregistrationv1.ValidatingWebhookConfiguration) (all []webhook) {
	for _, w := range c.Webhooks {
		all = append(all, webhook{ValidatingWebhook: w})
	}
	return all
}

func mutatingWebhooks(c *admissionregistrationv1.MutatingWebhookConfiguration) (all []webhook) {
	for _, w := range c.Webhooks {
		all = append(all, webhook{admissionregistrationv1.ValidatingWebhook{
			Name: w.Name, ClientConfig: w.ClientConfig, Rules: w.Rules, FailurePolicy: w.FailurePolicy, MatchPolicy: w.MatchPolicy,
			NamespaceSelector: w.NamespaceSelector, ObjectSelector: w.ObjectSelector, MatchConditions: w.MatchConditions,
			SideEffects: w.SideEffects, TimeoutSeconds: w.TimeoutSeconds, AdmissionReviewVersions: w.AdmissionReviewVersions,
		}, w.ReinvocationPolicy})
	}
	return all
}

// isOurs distinguishes a webhook of our configurations from one of somebody else.
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

func isIgnore(p *admissionregistrationv1.FailurePolicyType) bool {
	return deref(p, admissionregistrationv1.Fail) == admissionregistrationv1.Ignore
}
