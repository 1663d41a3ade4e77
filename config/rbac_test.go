package config_test

import (
	"slices"
	"strings"
	"testing"

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

// What the server itself may do, beside asking about the readers of its metrics. The rights to look (role
// claimbridge-preflight) are the same whoever makes certificates; test/preflight has a server look with them.
func TestTheServerMayDoNoMoreThanItNeeds(t *testing.T) {
	for _, mode := range modes {
		stream := manifests(t, config.Options{Group: group, Certificates: mode})
		var rules []rbacv1.PolicyRule
		add := func(name string, some []rbacv1.PolicyRule) {
			switch name {
			case "claimbridge":
				rules = append(rules, some...)
			case "claimbridge-preflight":
				checkReads(t, some)
			}
		}
		for _, role := range typed[*rbacv1.Role](t, stream) {
			add(role.Name, role.Rules)
		}
		for _, role := range typed[*rbacv1.ClusterRole](t, stream) {
			add(role.Name, role.Rules)
		}
		if want := map[bool]int{true: 3}[mode == config.Self]; len(rules) != want {
			t.Errorf("%s: want %d rules, those of self for a Secret, definitions and webhook configurations, got %v", mode, want, rules)
		}
		for _, rule := range rules {
			checkNamed(t, stream, rule)
		}
	}
}

// checkReads wants no right that changes anything, and none to claims or Secrets.
func checkReads(t *testing.T, rules []rbacv1.PolicyRule) {
	t.Helper()
	if len(rules) != 3 {
		t.Errorf("preflight: want three rules in a namespace and three in the cluster, got %v", rules)
	}
	for _, rule := range rules {
		for _, resource := range rule.Resources {
			want := []string{"get"}
			if resource == "endpointslices" || resource == "apiservices" { // their names are not known
				want = []string{"list"}
			}
			if !slices.Equal(rule.Verbs, want) || (want[0] == "get") != (len(rule.ResourceNames) > 0) ||
				slices.Contains([]string{"secrets", "resourceclaims", "resourceclaimtemplates"}, resource) {
				t.Errorf("preflight: it may %q %s %q", rule.Verbs, resource, rule.ResourceNames)
			}
		}
	}
}

// checkNamed wants a rule to name objects that are in the manifests, and no more verbs than the server uses.
func checkNamed(t *testing.T, stream []byte, rule rbacv1.PolicyRule) {
	t.Helper()
	kinds := map[string]string{"secrets": "Secret", "customresourcedefinitions": "CustomResourceDefinition",
		"mutatingwebhookconfigurations": "MutatingWebhookConfiguration", "validatingwebhookconfigurations": "ValidatingWebhookConfiguration"}
	objects := documents(t, stream)
	for _, resource := range rule.Resources {
		if len(rule.ResourceNames) == 0 {
			t.Errorf("%s: any of them", resource)
		}
		for _, name := range rule.ResourceNames {
			found := false
			for _, object := range objects {
				gv, _ := schema.ParseGroupVersion(object.GetAPIVersion())
				found = found || object.GetKind() == kinds[resource] && object.GetName() == name && gv.Group == rule.APIGroups[0]
			}
			if !found {
				t.Errorf("%s %s is not in the manifests", resource, name)
			}
		}
	}
	write := "patch"
	if slices.Equal(rule.Resources, []string{"secrets"}) {
		write = "update" // with the resourceVersion, since replicas race for it
	}
	if !slices.Equal(rule.Verbs, []string{"get", write}) {
		t.Errorf("%v: want get and %s, got %q", rule.Resources, write, rule.Verbs)
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
