//go:build e2e

package preflight

import (
	"context"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// releaseFaults are differences from what this release installs. What can be meant is a warning.
var releaseFaults = map[string]fault{
	"status that a write of the claim can change": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefinition, func() { theVersion("v1alpha2").Subresources = nil })
		},
		want: []string{"problem definitions-are-of-this-release" + claims},
		says: "version v1alpha2: the subresource status is missing, so a write of the claim can change its status",
	},
	"the schema of another release": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefinition, func() {
				delete(theVersion("v1alpha1").Schema.OpenAPIV3Schema.Properties["status"].Properties, "claimbridgeLeftover")
			})
		},
		want: []string{"problem definitions-are-of-this-release" + claims},
		says: "version v1alpha1: schema: .status.claimbridgeLeftover is missing",
	},
	"a bound that another release had": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefinition, func() {
				properties := theVersion("v1alpha1").Schema.OpenAPIV3Schema.Properties
				spec := properties["spec"]
				spec.Required = nil
				properties["spec"] = spec
			})
		},
		want: []string{"problem definitions-are-of-this-release" + claims},
		says: `version v1alpha1: schema: .spec: required is absent, not ["resourceClassName"]`,
	},
	"a version that nobody converts": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theTemplates, func() {
				another := *versionOf(theTemplates, "v1alpha1").DeepCopy()
				another.Name = "v1alpha9"
				theTemplates.Spec.Versions = append(theTemplates.Spec.Versions, another)
			})
		},
		want: []string{"problem definitions-are-of-this-release" + templates},
		says: "version v1alpha9 is not one of this release, so nobody converts it",
		left: "applying a definition takes no version away that somebody else has added",
	},
	"a version that is not served, which is no fault": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefinition, func() { theVersion("v1alpha2").Served = false })
		},
	},
	"conversion reviews of v1beta1": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefinition, func() { theDefinition.Spec.Conversion.Webhook.ConversionReviewVersions = []string{"v1beta1"} })
		},
		want: []string{"warning definitions-are-of-this-release" + claims},
		says: "conversionReviewVersions is [v1beta1], not [v1], which works too",
	},
	"columns of somebody's own": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefinition, func() {
				theVersion("v1alpha3").AdditionalPrinterColumns = []apiextensionsv1.CustomResourceColumnDefinition{{Name: "Class", Type: "string", JSONPath: ".spec"}}
				theVersion("v1alpha1").DeprecationWarning = ptr.To("do not")
			})
		},
		want: []string{"warning definitions-are-of-this-release" + claims},
		says: "version v1alpha1: another deprecation; version v1alpha3: other columns for kubectl get",
	},
	"labels of somebody's own, which are no fault": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefinition, func() { theDefinition.Labels["team"], theDefinition.Annotations["note"] = "ours", "hands off" })
			i.change(t, theJudge, func() { theJudge.Labels["team"] = "ours" })
		},
	},
	"admission reviews of v1beta1": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theJudge, func() { theJudge.Webhooks[0].AdmissionReviewVersions = []string{"v1beta1"} })
		},
		want: []string{"warning webhooks-are-of-this-release" + judge},
		says: "admissionReviewVersions is [v1beta1], not [v1], which works too",
	},
	"one second to judge": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theJudge, func() { theJudge.Webhooks[0].TimeoutSeconds = ptr.To(int32(1)) })
		},
		want: []string{"warning webhooks-are-of-this-release" + judge},
		says: "timeoutSeconds is 1, not 10: writes fail when the server, or a new connection to it, takes longer",
	},
	"half a minute to judge": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefaulter, func() { theDefaulter.Webhooks[0].TimeoutSeconds = ptr.To(int32(30)) })
		},
		want: []string{"warning webhooks-are-of-this-release" + defaulter},
		says: "timeoutSeconds is 30, not 10",
	},
	"match policies that are the other way round": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theJudge, func() { theJudge.Webhooks[0].MatchPolicy = ptr.To(admissionregistrationv1.Exact) })
			i.change(t, theDefaulter, func() { theDefaulter.Webhooks[0].MatchPolicy = ptr.To(admissionregistrationv1.Equivalent) })
		},
		want: []string{"warning webhooks-are-of-this-release" + defaulter, "warning webhooks-are-of-this-release" + judge},
		says: "matchPolicy is Exact, not Equivalent: a version that no rule names would not be judged",
	},
	"defaults that are not filled in twice": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefaulter, func() {
				theDefaulter.Webhooks[0].ReinvocationPolicy = ptr.To(admissionregistrationv1.NeverReinvocationPolicy)
			})
		},
		want: []string{"warning webhooks-are-of-this-release" + defaulter},
		says: "reinvocationPolicy is Never, not IfNeeded",
	},
	"deletes that wait for the server": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theJudge, func() {
				theJudge.Webhooks[0].Rules[0].Operations = append(theJudge.Webhooks[0].Rules[0].Operations, admissionregistrationv1.Delete)
			})
		},
		want: []string{"warning webhooks-are-of-this-release" + judge},
		says: "asked about delete of resourceclaims, which is not judged",
	},
	"rights of the server that are gone": {
		make: func(t *testing.T, i *installation) {
			i.shareCA(t, i.authority.pem)
			i.remove(t, &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: name}})
		},
		want: []string{"problem server-has-its-rights ServiceAccount claimbridge-system/claimbridge"},
		says: "may not patch customresourcedefinitions.apiextensions.k8s.io/resourceclaims.resource.k8s.io; patch ",
	},
	"rights of the server that are gone, and a CA with them": {
		make: func(t *testing.T, i *installation) {
			i.shareCA(t, i.authority.pem)
			i.remove(t, &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: name}})
			i.change(t, theDefaulter, func() { theDefaulter.Webhooks[0].ClientConfig.CABundle = nil })
		},
		want: []string{"problem ca-bundle-is-set" + defaulter, "problem server-has-its-rights ServiceAccount claimbridge-system/claimbridge"},
		says: "the server fills it in once it has its rights again: apply the server again",
		left: "the server writes it, in a pod",
	},
	"rights that it can do without": {
		make: func(t *testing.T, i *installation) {
			i.remove(t, &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "claimbridge-metrics-auth"}})
		},
		want: []string{"warning server-has-its-rights ServiceAccount claimbridge-system/claimbridge"},
		says: "may not create tokenreviews.authentication.k8s.io; create subjectaccessreviews.authorization.k8s.io, which the role system:auth-delegator allows",
	},
	"a server of another group": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDeployment, func() { theDeployment.Spec.Template.Spec.Containers[0].Args[1] = "--group=claims.example.com" })
		},
		want: []string{"problem server-serves-this-group Deployment claimbridge-system/claimbridge"},
		says: "serves claims.example.com, not resource.k8s.io",
	},
	"an image and a server of somebody's own, which are no fault and stay": {
		make: func(t *testing.T, i *installation) {
			const image = "registry.example.com/claimbridge:v9"
			i.change(t, theDeployment, func() { theDeployment.Spec.Template.Spec.Containers[0].Image = image })
			i.change(t, theDefinition, func() {
				theDefinition.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.NoneConverter}
			})
			i.remove(t, theService)
			t.Cleanup(func() {
				if err := i.Get(context.Background(), client.ObjectKeyFromObject(theDeployment), theDeployment); err != nil {
					t.Error(err)
				} else if got := theDeployment.Spec.Template.Spec.Containers[0].Image; got != image {
					t.Errorf("the remedies replaced the image by %s", got)
				}
			})
		},
		want: []string{"problem service-exists" + service, "problem several-versions-are-converted" + claims},
		says: "--image=registry.example.com/claimbridge:v9",
	},
}
