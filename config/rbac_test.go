package config_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/claimbridge/claimbridge/config"
)

// Bindings lead from the pods' account to roles that are there; no other account gets anything.
func TestBindingsLeadToTheServer(t *testing.T) {
	for _, mode := range modes {
		stream := manifests(t, config.Options{Namespace: "gpu", Certificates: mode})
		d, _ := deployment(t, stream)
		names := titles(documents(t, stream))
		check := func(name, namespace string, role rbacv1.RoleRef, subjects []rbacv1.Subject) {
			if role.Kind == "ClusterRole" {
				namespace = ""
			}
			if role.Name != "system:auth-delegator" && !slices.Contains(names, role.Kind+" "+namespace+"/"+role.Name) {
				t.Errorf("%s, %s: there is no %s %s", mode, name, role.Kind, role.Name)
			}
			want := rbacv1.Subject{Kind: "ServiceAccount", Name: d.Spec.Template.Spec.ServiceAccountName, Namespace: "gpu"}
			if !slices.Equal(subjects, []rbacv1.Subject{want}) || !slices.Contains(names, "ServiceAccount gpu/"+want.Name) {
				t.Errorf("%s, %s: bound to %v", mode, name, subjects)
			}
		}
		for _, b := range typed[*rbacv1.ClusterRoleBinding](t, stream) {
			check(b.Name, "", b.RoleRef, b.Subjects)
		}
		for _, b := range typed[*rbacv1.RoleBinding](t, stream) {
			check(b.Name, b.Namespace, b.RoleRef, b.Subjects)
		}
	}
}

// right is one verb on one resource, of one object or, without a name, of any.
type right struct{ namespace, resource, name, verb string }

// rights that the roles of the server's account add up to.
func rights(t *testing.T, stream []byte) (all []right) {
	t.Helper()
	add := func(namespace string, rules []rbacv1.PolicyRule) {
		for _, rule := range rules {
			for _, resource := range rule.Resources {
				names := rule.ResourceNames
				if len(names) == 0 {
					names = []string{""}
				}
				for _, name := range names {
					for _, verb := range rule.Verbs {
						all = append(all, right{namespace, schema.GroupResource{Group: rule.APIGroups[0], Resource: resource}.String(), name, verb})
					}
				}
			}
		}
	}
	roles := map[string]*rbacv1.ClusterRole{}
	for _, role := range typed[*rbacv1.ClusterRole](t, stream) {
		roles[role.Name] = role
	}
	for _, b := range typed[*rbacv1.ClusterRoleBinding](t, stream) {
		if role := roles[b.RoleRef.Name]; role != nil { // else it is system:auth-delegator
			add("", role.Rules)
		}
	}
	for _, role := range typed[*rbacv1.Role](t, stream) {
		add(role.Namespace, role.Rules)
	}
	return all
}

// What the server itself may do, beside asking about the readers of its metrics.
func TestTheServerMayDoNoMoreThanItNeeds(t *testing.T) {
	const claims, templates = "resourceclaims." + group, "resourceclaimtemplates." + group
	const crds, hooks = "customresourcedefinitions.apiextensions.k8s.io", "webhookconfigurations.admissionregistration.k8s.io"
	own := []right{
		// With the resourceVersion, since replicas race for it.
		{"gpu", "secrets", "claimbridge-ca", "get"}, {"gpu", "secrets", "claimbridge-ca", "update"},
		{"", crds, claims, "get"}, {"", crds, claims, "patch"}, {"", crds, templates, "get"}, {"", crds, templates, "patch"},
		{"", "mutating" + hooks, "claimbridge", "get"}, {"", "mutating" + hooks, "claimbridge", "patch"},
		{"", "validating" + hooks, "claimbridge", "get"}, {"", "validating" + hooks, "claimbridge", "patch"},
	}
	for _, mode := range modes {
		var want []right
		if mode == config.Self {
			want = own
		}
		got := rights(t, manifests(t, config.Options{Group: group, Namespace: "gpu", Certificates: mode}))
		order := func(a, b right) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
		if diff := cmp.Diff(slices.SortedFunc(slices.Values(want), order), slices.SortedFunc(slices.Values(got), order),
			cmp.AllowUnexported(right{})); diff != "" {
			t.Errorf("%s:\n%s", mode, diff)
		}
	}
}

// Users of a namespace can do with claims what Kubernetes' own roles allow where claims are in-tree.
func TestUsersOfANamespaceHaveClaims(t *testing.T) {
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
	for to, verbs := range granted {
		slices.Sort(verbs)
		expected := slices.Sorted(slices.Values(want[to]))
		if !slices.Equal(verbs, expected) {
			t.Errorf("%s: want %q, got %q", to, expected, verbs)
		}
	}
	if len(granted) != len(want) {
		t.Errorf("want %d rights, got %d", len(want), len(granted))
	}
}
