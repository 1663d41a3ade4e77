package config_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/config"
)

func TestVersionsMatchTheAPI(t *testing.T) {
	if diff := cmp.Diff(api.Names(), config.Versions()); diff != "" {
		t.Errorf("config/webhook has other versions (-api +config)\n%s", diff)
	}
	if config.Stored() != api.Stored().Name {
		t.Errorf("the CRDs store %s, and package api stores %s", config.Stored(), api.Stored().Name)
	}
}

// Versions that are not served stay in the CRDs, because objects may be stored in them, and are removed from the rules.
// Nothing else changes.
func TestOnlySelectedVersionsAreServed(t *testing.T) {
	tests := map[string]struct{ selected, served []string }{
		"all by default":                      {nil, config.Versions()},
		"the stored version is always served": {[]string{"v1alpha3", "v1beta1"}, []string{"v1alpha3", "v1beta1", "v1"}},
		"only the stored version":             {[]string{"v1"}, []string{"v1"}},
		"in any order":                        {[]string{"v1", "v1alpha1"}, []string{"v1alpha1", "v1"}},
		"v1beta2 does not select v1beta1":     {[]string{"v1beta2"}, []string{"v1beta2", "v1"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for _, mode := range modes {
				stream := manifests(t, config.Options{Group: group, Certificates: mode, Versions: test.selected})
				whole := manifests(t, config.Options{Group: group, Certificates: mode})
				crds := typed[*apiextensionsv1.CustomResourceDefinition](t, stream)
				for i, crd := range typed[*apiextensionsv1.CustomResourceDefinition](t, whole) {
					for j := range crd.Spec.Versions {
						v := &crd.Spec.Versions[j]
						v.Served = slices.Contains(test.served, v.Name)
					}
					if diff := cmp.Diff(crd, crds[i]); diff != "" {
						t.Errorf("%s (-want +got)\n%s", crd.Name, diff)
					}
				}
				checkWrites(t, written(crds), matched(hook(t, stream, validating).Rules))
				if got := hook(t, stream, validating).AdmissionReviewVersions; !slices.Equal(got, []string{"v1"}) {
					t.Errorf("reviews in %q", got)
				}
				for _, w := range matched(hook(t, stream, mutating).Rules) {
					if !slices.Contains(test.served, w.version) {
						t.Errorf("defaults for %v", w)
					}
				}
			}
		})
	}
}
