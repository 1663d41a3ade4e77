package preflight

import (
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// state is what was read of a cluster, once, so that all checks judge the same. Nobody changes it.
// What is nil is not there, or could not be read, which is noted.
type state struct {
	Options
	apiServices []apiService
	deployment  *appsv1.Deployment
	// named as ours, by their plural, whoever made them.
	named map[string]*apiextensionsv1.CustomResourceDefinition
	// configurations of webhooks, by their kind. What is looked at of a mutating one a validating one has as well.
	configurations map[resource]*admissionregistrationv1.ValidatingWebhookConfiguration
	// services of ours and that are called, and where they lead.
	services  map[types.NamespacedName]*corev1.Service
	endpoints map[types.NamespacedName][]discoveryv1.EndpointSlice
	// secrets of the namespace that may have the certificate.
	secrets map[string]*corev1.Secret
	// presented certificates, by the URL that is called.
	presented map[string]chain

	unread []unread
}

// unread is what could not be read.
type unread struct {
	resource
	Finding
}

// apiService is what checks read of an APIService: not worth the module that has the type.
type apiService struct {
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Group   string `json:"group"`
		Version string `json:"version"`
		Service *struct {
			Namespace string `json:"namespace"`
			Name      string `json:"name"`
		} `json:"service"`
	} `json:"spec"`
}

// builtIn is a version that kube-apiserver serves from its own code. It labels those of definitions "true".
func (s apiService) builtIn() bool {
	return s.Labels["kube-aggregator.kubernetes.io/automanaged"] == "onstart"
}

func (s *state) service(namespace, name string) *corev1.Service {
	return s.services[types.NamespacedName{Namespace: namespace, Name: name}]
}

func (s *state) definitionName(plural string) string { return plural + "." + s.Group }

// definitions that are there and came with claimbridge, of this release or another.
func (s *state) definitions() (all []*apiextensionsv1.CustomResourceDefinition) {
	for _, plural := range []string{claims, templates} {
		if crd := s.named[plural]; crd != nil && ours(crd) {
			all = append(all, crd)
		}
	}
	return all
}

// ours distinguishes a definition that came with claimbridge from one of the same name that did not.
func ours(crd *apiextensionsv1.CustomResourceDefinition) bool {
	return slices.Contains(crd.Spec.Names.Categories, ourCategory)
}

// established definitions of ours; definitions-are-accepted says why another is not.
func (s *state) established() []*apiextensionsv1.CustomResourceDefinition {
	return slices.DeleteFunc(s.definitions(), func(crd *apiextensionsv1.CustomResourceDefinition) bool {
		return !apihelpers.IsCRDConditionTrue(crd, apiextensionsv1.Established) || crd.DeletionTimestamp != nil
	})
}

// servedBy returns the versions that a definition serves and this program knows.
func servedBy(crd *apiextensionsv1.CustomResourceDefinition) (names []string) {
	for _, version := range crd.Spec.Versions {
		if version.Served && slices.Contains(versions, version.Name) {
			names = append(names, version.Name)
		}
	}
	return names
}

func storedVersion(crd *apiextensionsv1.CustomResourceDefinition) string {
	stored, _ := apihelpers.GetCRDStorageVersion(crd) // an API server accepts no definition without one
	return stored
}

// groupIsBuiltIn means that kube-apiserver serves a version of the group from its own code.
func (s *state) groupIsBuiltIn() bool {
	return slices.ContainsFunc(s.apiServices, func(a apiService) bool { return a.Spec.Group == s.Group && a.builtIn() })
}

// uninstalled means that nobody serves and nobody asks for admission. Whatever is wrong beside that follows from it.
func (s *state) uninstalled() bool {
	return s.configurations[validatingConfigurations] == nil && s.configurations[mutatingConfigurations] == nil &&
		s.service(s.Namespace, name) == nil
}

// absent means that nothing of claimbridge is there.
func (s *state) absent() bool {
	return s.named[claims] == nil && s.named[templates] == nil && s.deployment == nil && s.uninstalled()
}
