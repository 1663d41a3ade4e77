package preflight

import (
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/config"
)

// hook is a webhook of one of our two configurations that is about our group. What is looked at of
// a mutating one a validating one has as well.
type hook struct {
	admissionregistrationv1.ValidatingWebhook
	object   Object
	index    int // in its configuration
	wantPath string
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
		if slices.ContainsFunc(w.Rules, func(r admissionregistrationv1.RuleWithOperations) bool {
			return has(r.APIGroups, s.Group)
		}) {
			all = append(all, hook{w, kind.object("", name), i, paths[kind]})
		}
	}
	return all
}

// paths that the webhooks of a configuration are called at.
var paths = map[resource]string{validatingConfigurations: "/validate", mutatingConfigurations: "/default"}

func (h hook) field() string { return hookField(h.Name) }

func hookField(webhook string) string { return "webhooks[" + webhook + "]" }

// isOurs distinguishes a webhook of our configurations from one of somebody else.
func (s *state) isOurs(webhook string) bool {
	return slices.ContainsFunc(s.hooks(), func(h hook) bool { return h.Name == webhook })
}

// exempts names the fields that keep writes away from it.
func (h hook) exempts() (fields []string) {
	if selects(h.NamespaceSelector) {
		fields = append(fields, "namespaceSelector")
	}
	if selects(h.ObjectSelector) {
		fields = append(fields, "objectSelector")
	}
	if len(h.MatchConditions) > 0 {
		fields = append(fields, "matchConditions")
	}
	return fields
}

func selects(s *metav1.LabelSelector) bool {
	return s != nil && len(s.MatchLabels)+len(s.MatchExpressions) > 0
}

// write that an API server can ask a webhook about.
type write struct {
	operation         admissionregistrationv1.OperationType
	resource, version string
}

// rendered returns the objects of this program's manifests.
func rendered(o config.Options) (objects []*unstructured.Unstructured, err error) {
	manifests, err := config.Manifests(o)
	if err != nil {
		return nil, err
	}
	for document := range strings.SplitSeq(string(manifests), "\n---\n") {
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(document), &object.Object); err != nil {
			return nil, fmt.Errorf("read the manifests: %w", err)
		}
		objects = append(objects, object)
	}
	return objects, nil
}

// writesIn a version that the rules of a configuration of the manifests name.
func writesIn(version string, configuration *unstructured.Unstructured) (all []write) {
	typed, err := as[admissionregistrationv1.ValidatingWebhookConfiguration](configuration)
	if err != nil {
		panic(err) // of manifests that are part of the program
	}
	for _, w := range typed.Webhooks {
		for _, r := range w.Rules {
			for _, resource := range r.Resources {
				for _, operation := range r.Operations {
					if slices.Contains(r.APIVersions, version) {
						all = append(all, write{operation, resource, version})
					}
				}
			}
		}
	}
	return all
}

// named by a resource of a rule, as API servers have it: * is all resources without their
// subresources, pods/* is pods with all of theirs.
func (w write) named(pattern string) bool {
	resource, subresource, _ := strings.Cut(w.resource, "/")
	patternResource, patternSubresource, _ := strings.Cut(pattern, "/")
	return (patternResource == "*" || patternResource == resource) &&
		(patternSubresource == "*" || patternSubresource == subresource)
}

// covers reports whether a rule names this write.
func (h hook) covers(w write, group string) bool {
	return slices.ContainsFunc(h.Rules, func(r admissionregistrationv1.RuleWithOperations) bool {
		return has(r.APIGroups, group) && has(r.APIVersions, w.version) && has(r.Operations, w.operation) &&
			slices.ContainsFunc(r.Resources, w.named) &&
			ptr.Deref(r.Scope, admissionregistrationv1.AllScopes) != admissionregistrationv1.ClusterScope
	})
}

// has a value, or the wildcard.
func has[T ~string](values []T, value T) bool {
	return slices.Contains(values, value) || slices.Contains(values, "*")
}
