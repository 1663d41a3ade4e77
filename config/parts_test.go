package config_test

import (
	"slices"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func titles(objects []*unstructured.Unstructured) (names []string) {
	for _, object := range objects {
		names = append(names, object.GetKind()+" "+object.GetNamespace()+"/"+object.GetName())
	}
	return names
}

func TestPartsAreTheWhole(t *testing.T) {
	for _, mode := range modes {
		o := config.Options{Certificates: mode, AdmissionPolicy: mode == config.Self}
		var parts []string
		for _, part := range config.Parts {
			if o.Only = part; !part.Watches() {
				parts = append(parts, titles(documents(t, manifests(t, o)))...)
			}
		}
		o.Only = ""
		whole := titles(documents(t, manifests(t, o)))
		slices.Sort(parts)
		slices.Sort(whole)
		if !slices.Equal(parts, whole) {
			t.Errorf("%s: the parts are\n%q\nthe whole is\n%q", mode, parts, whole)
		}
		if len(slices.Compact(slices.Clone(whole))) != len(whole) {
			t.Errorf("%s: an object is there twice: %q", mode, whole)
		}
		monitor := titles(documents(t, manifests(t, config.Options{Certificates: mode, Only: config.MonitorPart})))
		if !slices.Equal(monitor, []string{"ServiceMonitor claimbridge-system/claimbridge"}) {
			t.Errorf("%s: the monitor is %q", mode, monitor)
		}
	}
}

// The roles for those who use claims are a part of their own, so that an uninstall that keeps claims can leave them; its
// command knows them by their label.
func TestRolesOfClaimsAreTheirOwnPart(t *testing.T) {
	for _, mode := range modes {
		roles := typed[*rbacv1.ClusterRole](t, manifests(t, config.Options{Group: group, Certificates: mode, Only: config.RolesPart}))
		var names []string
		for _, role := range roles {
			names = append(names, role.Name)
			if role.Labels["app.kubernetes.io/component"] != "claims" {
				t.Errorf("%s: %s has labels %v", mode, role.Name, role.Labels)
			}
		}
		if !slices.Equal(names, []string{"claimbridge-claim-editor", "claimbridge-claim-viewer"}) {
			t.Errorf("%s: the part has %q", mode, names)
		}
		for _, object := range documents(t, manifests(t, config.Options{Group: group, Certificates: mode, Only: config.ServerPart})) {
			if object.GetLabels()["app.kubernetes.io/component"] == "claims" {
				t.Errorf("%s: %s goes with the server", mode, object.GetName())
			}
		}
	}
}

// What an uninstall finds by its label has it.
func TestEverythingIsLabelled(t *testing.T) {
	for _, mode := range modes {
		for _, object := range documents(t, manifests(t, config.Options{Certificates: mode, AdmissionPolicy: mode == config.Self})) {
			if object.GetLabels()["app.kubernetes.io/name"] != "claimbridge" {
				t.Errorf("%s: %s %s has labels %v", mode, object.GetKind(), object.GetName(), object.GetLabels())
			}
		}
	}
}

// A plain kubectl apply creates one object after the other: what is needed comes before what needs it.
func TestOneApplyIsEnough(t *testing.T) {
	order := []string{"Namespace", "ResourceQuota", "CustomResourceDefinition", "ServiceAccount", "Role", "ClusterRole", "RoleBinding",
		"ClusterRoleBinding", "Secret", "Service", "Deployment", "PodDisruptionBudget", "Certificate", "Issuer", "NetworkPolicy",
		"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"}
	for _, mode := range modes {
		last := 0
		for _, object := range documents(t, manifests(t, config.Options{Certificates: mode, AdmissionPolicy: mode == config.Self})) {
			i := slices.Index(order, object.GetKind())
			if i < last {
				t.Errorf("%s: %s comes too late, or is not in the list of this test", mode, object.GetKind())
			}
			last = i
		}
	}
}

func TestCRDsAndWebhooksAlone(t *testing.T) {
	for _, group := range []string{config.DefaultGroup, "claims.example.com"} {
		want := config.Options{Group: group, Certificates: config.Files}
		crds := must.Get(config.CRDs(group))(t)
		want.Only = config.CRDsPart
		if string(crds) != string(manifests(t, want)) || len(documents(t, crds)) != 2 {
			t.Errorf("group %q: want the two definitions, got %q", group, titles(documents(t, crds)))
		}
		webhooks := must.Get(config.Webhooks(group))(t)
		want.Only = config.WebhooksPart
		if string(webhooks) != string(manifests(t, want)) || len(documents(t, webhooks)) != 2 {
			t.Errorf("group %q: want the two webhook configurations, got %q", group, titles(documents(t, webhooks)))
		}
	}
	for _, group := range []string{"", "claims"} {
		if _, err := config.CRDs(group); err == nil {
			t.Errorf("group %q was taken for the definitions", group)
		}
		if _, err := config.Webhooks(group); err == nil {
			t.Errorf("group %q was taken for the webhook configurations", group)
		}
	}
}
