package config_test

import (
	"slices"
	"testing"

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

func TestPartsAreComplete(t *testing.T) {
	for _, mode := range modes {
		o := config.Options{Certificates: mode, AdmissionPolicy: mode == config.Self}
		var parts []string
		for _, part := range config.Parts {
			if o.Only = part; !part.IsMonitoring() {
				parts = append(parts, titles(documents(t, manifests(t, o)))...)
			}
		}
		o.Only = ""
		whole := titles(documents(t, manifests(t, o)))
		slices.Sort(parts)
		slices.Sort(whole)
		if !slices.Equal(parts, whole) {
			t.Errorf("%s: the parts have\n%q\nall manifests have\n%q", mode, parts, whole)
		}
		if len(slices.Compact(slices.Clone(whole))) != len(whole) {
			t.Errorf("%s: duplicate object: %q", mode, whole)
		}
		monitor := titles(documents(t, manifests(t, config.Options{Certificates: mode, Only: config.MonitorPart})))
		if !slices.Equal(monitor, []string{"ServiceMonitor claimbridge-system/claimbridge"}) {
			t.Errorf("%s: the monitor is %q", mode, monitor)
		}
	}
}

func TestCRDsAndWebhooksAlone(t *testing.T) {
	for part, manifestsOf := range map[config.Part]func(string) ([]byte, error){
		config.CRDsPart: config.CRDs, config.WebhooksPart: config.Webhooks,
	} {
		for _, group := range []string{config.DefaultGroup, "claims.example.com"} {
			got := must.Get(manifestsOf(group))(t)
			if string(got) != string(manifests(t, config.Options{
				Group: group, Certificates: config.Files, Only: part,
			})) || len(documents(t, got)) != 2 {
				t.Errorf("group %q: want both objects of %s, got %q", group, part, titles(documents(t, got)))
			}
		}
		for _, group := range []string{"", "claims"} {
			if _, err := manifestsOf(group); err == nil {
				t.Errorf("group %q was accepted for %s", group, part)
			}
		}
	}
}
