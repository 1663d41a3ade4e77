package preflight

import (
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/config"
)

// rendered is what the manifests of this release have, of what checks compare with what is installed.
type rendered struct {
	definitions []apiextensionsv1.CustomResourceDefinition
	validating  admissionregistrationv1.ValidatingWebhookConfiguration
	mutating    admissionregistrationv1.MutatingWebhookConfiguration
	// policy that holds the account of the server, and its binding, as they are stored.
	policy        admissionregistrationv1.ValidatingAdmissionPolicy
	policyBinding admissionregistrationv1.ValidatingAdmissionPolicyBinding
	roles         []rbacv1.Role
	clusterRoles  []rbacv1.ClusterRole
	// bound roles, by kind and name, to the account of the server.
	bound []rbacv1.RoleRef
	// writes that should be judged and defaulted, by the kind of configuration.
	writes map[string][]write
}

// render the manifests with the certificates that need the most rights; definitions and configurations are the same with all.
func render(group, namespace string) (*rendered, error) {
	manifests, err := config.Manifests(config.Options{Group: group, Namespace: namespace, Certificates: config.Self, AdmissionPolicy: true})
	if err != nil {
		return nil, err
	}
	r := &rendered{writes: map[string][]write{}}
	for document := range strings.SplitSeq(string(manifests), "\n---\n") {
		if err := r.add([]byte(document)); err != nil {
			return nil, fmt.Errorf("read the manifests: %w", err)
		}
	}
	for _, w := range r.validating.Webhooks {
		r.writes[validatingConfigurations.kind] = append(r.writes[validatingConfigurations.kind], expand(w.Rules)...)
	}
	for _, w := range r.mutating.Webhooks {
		r.writes[mutatingConfigurations.kind] = append(r.writes[mutatingConfigurations.kind], expand(w.Rules)...)
	}
	return r, nil
}

func (r *rendered) add(document []byte) error {
	var object struct{ Kind string }
	if err := yaml.Unmarshal(document, &object); err != nil {
		return err
	}
	switch object.Kind {
	case definitions.kind:
		return appendTo(&r.definitions, document)
	case validatingConfigurations.kind:
		return yaml.Unmarshal(document, &r.validating)
	case mutatingConfigurations.kind:
		return yaml.Unmarshal(document, &r.mutating)
	case policies.kind:
		err := yaml.Unmarshal(document, &r.policy)
		if err == nil {
			defaultPolicy(&r.policy)
		}
		return err
	case policyBindings.kind:
		return yaml.Unmarshal(document, &r.policyBinding)
	case "Role":
		return appendTo(&r.roles, document)
	case "ClusterRole":
		return appendTo(&r.clusterRoles, document)
	case "RoleBinding", "ClusterRoleBinding":
		var binding struct {
			RoleRef  rbacv1.RoleRef
			Subjects []rbacv1.Subject
		}
		if err := yaml.Unmarshal(document, &binding); err != nil {
			return err
		}
		if slices.ContainsFunc(binding.Subjects, func(s rbacv1.Subject) bool { return s.Name == name }) {
			r.bound = append(r.bound, binding.RoleRef)
		}
	}
	return nil
}

func appendTo[T any](all *[]T, document []byte) error {
	var one T
	err := yaml.Unmarshal(document, &one)
	*all = append(*all, one)
	return err
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
