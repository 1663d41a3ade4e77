package preflight

import (
	"slices"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
)

// right that the manifests give to the account of the server, by a role of theirs.
type right struct {
	role string
	authorizationv1.ResourceAttributes
}

// String as kubectl auth can-i takes it.
func (r right) String() string {
	text := r.Verb + " " + r.Resource
	if r.Group != "" {
		text += "." + r.Group
	}
	if r.Name != "" {
		text += "/" + r.Name
	}
	return text
}

// rights of the roles that are bound to the account of the server.
func (r *rendered) rights() (all []right) {
	for _, ref := range r.bound {
		switch {
		case ref.Kind == "Role":
			for _, role := range r.roles {
				if role.Name == ref.Name {
					all = append(all, spread(role.Name, role.Namespace, role.Rules)...)
				}
			}
		case ref.Name == "system:auth-delegator":
			all = append(all, spread(ref.Name, "", authDelegator)...)
		default:
			for _, role := range r.clusterRoles {
				if role.Name == ref.Name {
					all = append(all, spread(role.Name, "", role.Rules)...)
				}
			}
		}
	}
	return all
}

// authDelegator is a role of Kubernetes' own, which the manifests bind for the readers of metrics.
var authDelegator = []rbacv1.PolicyRule{
	{APIGroups: []string{"authentication.k8s.io"}, Resources: []string{"tokenreviews"}, Verbs: []string{"create"}},
	{APIGroups: []string{"authorization.k8s.io"}, Resources: []string{"subjectaccessreviews"}, Verbs: []string{"create"}},
}

// spread the rules of a role, each right of them one by one.
func spread(role, namespace string, rules []rbacv1.PolicyRule) (all []right) {
	for _, rule := range rules {
		names := rule.ResourceNames
		if len(names) == 0 {
			names = []string{""}
		}
		for _, group := range rule.APIGroups {
			for _, plural := range rule.Resources {
				plural, subresource, _ := strings.Cut(plural, "/")
				for _, name := range names {
					for _, verb := range rule.Verbs {
						all = append(all, right{role, authorizationv1.ResourceAttributes{
							Namespace: namespace, Verb: verb, Group: group, Version: "*", Resource: plural, Subresource: subresource, Name: name,
						}})
					}
				}
			}
		}
	}
	return all
}

// roles of rights, each once.
func roles(rights []right) (names []string) {
	for _, r := range rights {
		if !slices.Contains(names, r.role) {
			names = append(names, r.role)
		}
	}
	return names
}
