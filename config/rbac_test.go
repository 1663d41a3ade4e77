package config_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/claimbridge/claimbridge/config"
)

// permission allows one verb on one resource: for the object with the name, or for all objects if the name is empty.
type permission struct{ namespace, resource, name, verb string }

// serverPermissions returns the permissions of the server's account. It fails the test if another account has some.
func serverPermissions(t *testing.T, stream []byte) (all []permission) {
	t.Helper()
	rules := map[string][]rbacv1.PolicyRule{"ClusterRole/system:auth-delegator": nil}
	for _, role := range typed[*rbacv1.ClusterRole](t, stream) {
		rules["ClusterRole/"+role.Name] = role.Rules
	}
	for _, role := range typed[*rbacv1.Role](t, stream) {
		rules["Role/"+role.Name] = role.Rules
	}
	add := func(namespace string, role rbacv1.RoleRef, subjects []rbacv1.Subject) {
		granted, exists := rules[role.Kind+"/"+role.Name]
		if !exists || !slices.Equal(subjects, []rbacv1.Subject{
			{Kind: "ServiceAccount", Name: "claimbridge", Namespace: "gpu"},
		}) {
			t.Errorf("%s %s is bound to %v", role.Kind, role.Name, subjects)
		}
		for _, rule := range granted {
			all = append(all, permissionsOf(namespace, rule)...)
		}
	}
	for _, b := range typed[*rbacv1.ClusterRoleBinding](t, stream) {
		add("", b.RoleRef, b.Subjects)
	}
	for _, b := range typed[*rbacv1.RoleBinding](t, stream) {
		add(b.Namespace, b.RoleRef, b.Subjects)
	}
	return all
}

func permissionsOf(namespace string, rule rbacv1.PolicyRule) (all []permission) {
	names := rule.ResourceNames
	if len(names) == 0 {
		names = []string{""}
	}
	for _, resource := range rule.Resources {
		groupResource := schema.GroupResource{Group: rule.APIGroups[0], Resource: resource}.String()
		for _, name := range names {
			for _, verb := range rule.Verbs {
				all = append(all, permission{namespace, groupResource, name, verb})
			}
		}
	}
	return all
}

// The permissions of the server, except for the authorization of metrics clients.
func TestServerHasNoUnusedPermissions(t *testing.T) {
	const claims, templates = "resourceclaims." + group, "resourceclaimtemplates." + group
	const crds = "customresourcedefinitions.apiextensions.k8s.io"
	const hooks = "webhookconfigurations.admissionregistration.k8s.io"
	permissionsForSelf := []permission{
		// With the resourceVersion, because replicas compete for it.
		{"gpu", "secrets", "claimbridge-ca", "get"},
		{"gpu", "secrets", "claimbridge-ca", "update"},
		{"", crds, claims, "get"},
		{"", crds, claims, "patch"},
		{"", crds, templates, "get"},
		{"", crds, templates, "patch"},
		{"", "mutating" + hooks, "claimbridge", "get"},
		{"", "mutating" + hooks, "claimbridge", "patch"},
		{"", "validating" + hooks, "claimbridge", "get"},
		{"", "validating" + hooks, "claimbridge", "patch"},
	}
	for _, mode := range modes {
		var want []permission
		if mode == config.Self {
			want = permissionsForSelf
		}
		got := serverPermissions(t, manifests(t, config.Options{Group: group, Namespace: "gpu", Certificates: mode}))
		order := func(a, b permission) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
		if diff := cmp.Diff(slices.SortedFunc(slices.Values(want), order), slices.SortedFunc(slices.Values(got), order),
			cmp.AllowUnexported(permission{})); diff != "" {
			t.Errorf("%s:\n%s", mode, diff)
		}
	}
}

// Users of a namespace have the same permissions for claims as for Kubernetes' own claims.
func TestNamespaceUsersCanUseClaims(t *testing.T) {
	const aggregate = "rbac.authorization.k8s.io/aggregate-to-"
	granted := map[string][]string{}
	for _, role := range typed[*rbacv1.ClusterRole](t, manifests(t, config.Options{Group: group})) {
		for label := range role.Labels {
			to, ok := strings.CutPrefix(label, aggregate)
			for _, rule := range role.Rules {
				for _, resource := range rule.Resources {
					if ok && slices.Equal(rule.APIGroups, []string{group}) {
						granted[to+" "+resource] = append(granted[to+" "+resource], rule.Verbs...)
					}
				}
			}
		}
	}
	read, write := []string{"get", "list", "watch"}, []string{"create", "delete", "deletecollection", "patch", "update"}
	want := map[string][]string{}
	for _, resource := range []string{"resourceclaims", "resourceclaimtemplates"} {
		want["view "+resource] = read
		want["edit "+resource] = append(slices.Clone(write), read...)
		want["admin "+resource] = want["edit "+resource]
	}
	for _, to := range []string{"view", "edit", "admin"} {
		want[to+" resourceclaims/status"] = read
	}
	if diff := cmp.Diff(want, granted, cmpopts.SortSlices(strings.Compare)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
