package preflight

import (
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/claimbridge/claimbridge/api"
)

const (
	// name of the Service, the Deployment and the webhook configurations.
	name = "claimbridge"
	// ourCategory is in the definitions that come with claimbridge, and in no others.
	ourCategory = "claimbridge"
)

// versions of claims, oldest first.
var versions = api.Names()

var newest = api.Stored().Name

const (
	claims    = api.ResourceClaims
	templates = api.ResourceTemplates
)

// definition of claims or of templates, whoever made it. It is nil when there is none.
func (v *view) definition(plural string) (crd *apiextensionsv1.CustomResourceDefinition, seen bool) {
	return get[apiextensionsv1.CustomResourceDefinition](v, definitions, "", v.definitionName(plural))
}

func (v *view) definitionName(plural string) string { return plural + "." + v.options.Group }

// definitions that are there and are ours.
func (v *view) definitions() (all []*apiextensionsv1.CustomResourceDefinition) {
	for _, plural := range []string{claims, templates} {
		if crd, _ := v.definition(plural); crd != nil && ours(crd) {
			all = append(all, crd)
		}
	}
	return all
}

// ours distinguishes a definition that came with claimbridge, of this release or another, from one of the same name that did not.
func ours(crd *apiextensionsv1.CustomResourceDefinition) bool {
	return slices.Contains(crd.Spec.Names.Categories, ourCategory)
}

func (v *view) validating() (configuration *admissionregistrationv1.ValidatingWebhookConfiguration, seen bool) {
	return get[admissionregistrationv1.ValidatingWebhookConfiguration](v, validatingConfigurations, "", name)
}

func (v *view) mutating() (configuration *admissionregistrationv1.MutatingWebhookConfiguration, seen bool) {
	return get[admissionregistrationv1.MutatingWebhookConfiguration](v, mutatingConfigurations, "", name)
}

func (v *view) deployment() (deployment *appsv1.Deployment, seen bool) {
	return get[appsv1.Deployment](v, deployments, v.options.Namespace, name)
}

func (v *view) service(namespace, name string) (service *corev1.Service, seen bool) {
	return get[corev1.Service](v, services, namespace, name)
}

// uninstalled means that nobody serves and nobody asks for admission: all of it was seen to be missing. Whatever is wrong
// beside that follows from it.
func (v *view) uninstalled() bool {
	if configuration, seen := v.validating(); configuration != nil || !seen {
		return false
	}
	if configuration, seen := v.mutating(); configuration != nil || !seen {
		return false
	}
	service, seen := v.service(v.options.Namespace, name)
	return service == nil && seen
}

// aside is for a look that decides whether a check has anything to say. What it cannot see is no finding of this check.
func (v *view) aside() *view {
	return &view{ctx: v.ctx, options: v.options, cluster: v.cluster, check: v.check, earlier: v.earlier}
}
