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
		want: []string{"problem objects-are-of-this-release" + claims},
		says: "spec.versions[v1alpha2].subresources is missing",
	},
	"the schema of another release": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefinition, func() {
				delete(theVersion("v1alpha1").Schema.OpenAPIV3Schema.Properties["status"].Properties, "claimbridgeLeftover")
			})
		},
		want: []string{"problem objects-are-of-this-release" + claims},
		says: "spec.versions[v1alpha1].schema.openAPIV3Schema.properties.status.properties.claimbridgeLeftover is missing",
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
		want: []string{"problem objects-are-of-this-release" + claims},
		says: `spec.versions[v1alpha1].schema.openAPIV3Schema.properties.spec.required is missing`,
	},
	"a version that nobody converts": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theTemplates, func() {
				another := *versionOf(theTemplates, "v1alpha1").DeepCopy()
				another.Name = "v1alpha9"
				theTemplates.Spec.Versions = append(theTemplates.Spec.Versions, another)
			})
		},
		want: []string{"problem objects-are-of-this-release" + templates},
		says: "spec.versions[v1alpha9] is not of this release",
	},
	"a version that is not served, which is no fault": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefinition, func() { theVersion("v1alpha2").Served = false })
		},
	},
	"columns of somebody's own": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefinition, func() {
				theVersion("v1alpha3").AdditionalPrinterColumns = []apiextensionsv1.CustomResourceColumnDefinition{{Name: "Class", Type: "string", JSONPath: ".spec"}}
				theVersion("v1alpha1").DeprecationWarning = ptr.To("do not")
			})
		},
		want: []string{"warning objects-are-of-this-release" + claims},
		says: `spec.versions[v1alpha1].deprecationWarning is "do not", not `,
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
		want: []string{"warning objects-are-of-this-release" + judge},
		says: `webhooks[validate.claimbridge.dev].admissionReviewVersions is ["v1beta1"], not ["v1"]`,
	},
	"one second to judge": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theJudge, func() { theJudge.Webhooks[0].TimeoutSeconds = ptr.To(int32(1)) })
		},
		want: []string{"warning objects-are-of-this-release" + judge},
		says: "timeoutSeconds is 1, not 10",
	},
	"half a minute to judge": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefaulter, func() { theDefaulter.Webhooks[0].TimeoutSeconds = ptr.To(int32(30)) })
		},
		want: []string{"warning objects-are-of-this-release" + defaulter},
		says: "timeoutSeconds is 30, not 10",
	},
	"match policies that are the other way round": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theJudge, func() { theJudge.Webhooks[0].MatchPolicy = ptr.To(admissionregistrationv1.Exact) })
			i.change(t, theDefaulter, func() { theDefaulter.Webhooks[0].MatchPolicy = ptr.To(admissionregistrationv1.Equivalent) })
		},
		want: []string{"warning objects-are-of-this-release" + defaulter, "warning objects-are-of-this-release" + judge},
		says: `matchPolicy is "Exact", not "Equivalent"`,
	},
	"defaults that are not filled in twice": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefaulter, func() {
				theDefaulter.Webhooks[0].ReinvocationPolicy = ptr.To(admissionregistrationv1.NeverReinvocationPolicy)
			})
		},
		want: []string{"warning objects-are-of-this-release" + defaulter},
		says: `reinvocationPolicy is "Never", not "IfNeeded"`,
	},
	"deletes that wait for the server": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theJudge, func() {
				theJudge.Webhooks[0].Rules[0].Operations = append(theJudge.Webhooks[0].Rules[0].Operations, admissionregistrationv1.Delete)
			})
		},
		want: []string{"warning objects-are-of-this-release" + judge},
		says: `"DELETE"`,
	},
	"rights of the server that are gone": {
		make: func(t *testing.T, i *installation) {
			i.shareCA(t, i.authority.pem)
			i.remove(t, &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: name}})
		},
		want: []string{"problem objects-are-of-this-release ClusterRoleBinding claimbridge"},
		says: "does not exist",
	},
	"rights of the server that are gone, and a CA with them": {
		make: func(t *testing.T, i *installation) {
			i.shareCA(t, i.authority.pem)
			i.remove(t, &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: name}})
			i.change(t, theDefaulter, func() { theDefaulter.Webhooks[0].ClientConfig.CABundle = nil })
		},
		want: []string{"problem ca-bundle-is-set" + defaulter, "problem objects-are-of-this-release ClusterRoleBinding claimbridge"},
		left: "the server writes it, in a pod",
	},
	"rights that it can do without": {
		make: func(t *testing.T, i *installation) {
			i.remove(t, &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "claimbridge-metrics-auth"}})
		},
		want: []string{"warning objects-are-of-this-release ClusterRoleBinding claimbridge-metrics-auth"},
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
