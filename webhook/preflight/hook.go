package preflight

import (
	"slices"
	"strings"

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

func (s *state) hooks() []hook {
	return append(s.hooksOf(validatingConfigurations), s.hooksOf(mutatingConfigurations)...)
}

// hooksOf one of the two.
func (s *state) hooksOf(kind resource) (all []hook) {
	configuration := s.configurations[kind]
	if configuration == nil {
		return nil
	}
	for i, w := range configuration.Webhooks {
		all = append(all, hook{
			object: kind.object("", name), field: hookField(w.Name), index: i, wantPath: paths[kind],
			config: w.ClientConfig, rules: w.Rules, optional: isIgnore(w.FailurePolicy),
			exempts: exempts(w.NamespaceSelector, w.ObjectSelector, w.MatchConditions),
		})
	}
	return about(all, s.Group)
}

// paths that the webhooks of a configuration are called at.
var paths = map[resource]string{validatingConfigurations: "/validate", mutatingConfigurations: "/default"}

func hookField(webhook string) string { return "webhooks[" + webhook + "]" }

// isOurs distinguishes a webhook of our configurations from one of somebody else.
func (s *state) isOurs(webhook string) bool {
	return slices.ContainsFunc(s.hooks(), func(h hook) bool { return h.field == hookField(webhook) })
}

// about a group, of some hooks.
func about(all []hook, group string) []hook {
	return slices.DeleteFunc(all, func(h hook) bool {
		return !slices.ContainsFunc(h.rules, func(r admissionregistrationv1.RuleWithOperations) bool { return has(r.APIGroups, group) })
	})
}

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
