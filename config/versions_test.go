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
		t.Errorf("definitions store %s, and the row of %s is the stored one", config.Stored(), api.Stored().Name)
	}
}

// Versions that are not served stay in the CRDs, because objects may be stored in them, and are removed from the rules.
// Nothing else changes.
func TestOnlyVersionsThatAreAskedForAreServed(t *testing.T) {
	tests := map[string]struct{ asked, served []string }{
		"all by default":                      {nil, config.Versions()},
		"some, and always what is stored":     {[]string{"v1alpha3", "v1beta1"}, []string{"v1alpha3", "v1beta1", "v1"}},
		"what is stored alone":                {[]string{"v1"}, []string{"v1"}},
		"in any order":                        {[]string{"v1", "v1alpha1"}, []string{"v1alpha1", "v1"}},
		"no prefix of a version is a version": {[]string{"v1beta2"}, []string{"v1beta2", "v1"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for _, mode := range modes {
				stream := manifests(t, config.Options{Group: group, Certificates: mode, Versions: test.asked})
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
				sameWrites(t, written(crds), matched(hook(t, stream, validates).Rules))
				if got := hook(t, stream, validates).AdmissionReviewVersions; !slices.Equal(got, []string{"v1"}) {
					t.Errorf("reviews in %q", got)
				}
				for _, w := range matched(hook(t, stream, completes).Rules) {
					if !slices.Contains(test.served, w.version) {
						t.Errorf("defaults for %v", w)
					}
				}
			}
		})
	}
}
