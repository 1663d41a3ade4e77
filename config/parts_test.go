package config_test

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/claimbridge/claimbridge/config"
)

func titles(objects []*unstructured.Unstructured) (names []string) {
	for _, object := range objects {
		names = append(names, object.GetKind()+" "+object.GetNamespace()+"/"+object.GetName())
	}
	return names
}

func TestPartsAreTheWhole(t *testing.T) {
	for _, mode := range modes {
		var parts []string
		for _, part := range []config.Part{config.CRDsPart, config.ServerPart, config.WebhooksPart} {
			parts = append(parts, titles(documents(t, manifests(t, config.Options{Certificates: mode, Only: part})))...)
		}
		whole := titles(documents(t, manifests(t, config.Options{Certificates: mode})))
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

// A plain kubectl apply creates one object after the other: what is needed comes before what needs it.
func TestOneApplyIsEnough(t *testing.T) {
	order := []string{"Namespace", "ResourceQuota", "CustomResourceDefinition", "ServiceAccount", "Role", "ClusterRole", "RoleBinding",
		"ClusterRoleBinding", "Secret", "Service", "Deployment", "PodDisruptionBudget", "Certificate", "Issuer", "NetworkPolicy",
		"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"}
	for _, mode := range modes {
		last := 0
		for _, object := range documents(t, manifests(t, config.Options{Certificates: mode})) {
			i := slices.Index(order, object.GetKind())
			if i < last {
				t.Errorf("%s: %s comes too late, or is not in the list of this test", mode, object.GetKind())
			}
			last = i
		}
	}
}

func TestCRDsAndWebhooksAlone(t *testing.T) {
	for _, group := range []string{"", "claims.example.com"} {
		want := config.Options{Group: group, Certificates: config.Files}
		crds, err := config.CRDs(group)
		if err != nil {
			t.Fatal(err)
		}
		want.Only = config.CRDsPart
		if string(crds) != string(manifests(t, want)) || len(documents(t, crds)) != 2 {
			t.Errorf("group %q: want the two definitions, got %q", group, titles(documents(t, crds)))
		}
		webhooks, err := config.Webhooks(group)
		if err != nil {
			t.Fatal(err)
		}
		want.Only = config.WebhooksPart
		if string(webhooks) != string(manifests(t, want)) || len(documents(t, webhooks)) != 2 {
			t.Errorf("group %q: want the two webhook configurations, got %q", group, titles(documents(t, webhooks)))
		}
	}
	if _, err := config.CRDs("claims"); err == nil {
		t.Error("a group that cannot be was taken")
	}
}
