//go:build e2e

package preflight

import (
	"slices"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// definitionFaults are in what the API server serves: the group, the two definitions, their versions.
var definitionFaults = map[string]fault{
	"an aggregated API": {
		make: func(t *testing.T, i *installation) {
			i.create(t, `
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1alpha9.resource.k8s.io}
spec: {group: resource.k8s.io, version: v1alpha9, groupPriorityMinimum: 1, versionPriority: 1, service: {namespace: other, name: other}}
`)
		},
		want: []string{"problem group-is-not-aggregated APIService v1alpha9.resource.k8s.io"},
		says: "sends requests for resource.k8s.io/v1alpha9 to Service other/other",
	},
	"one definition is missing": {
		make: func(t *testing.T, i *installation) { i.remove(t, theTemplates) },
		want: []string{"problem definitions-exist" + templates},
	},
	"a foreign definition": {
		make: func(t *testing.T, i *installation) {
			i.remove(t, theTemplates)
			i.create(t, `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: resourceclaimtemplates.resource.k8s.io, annotations: {api-approved.kubernetes.io: "unapproved, a test"}}
spec:
  group: resource.k8s.io
  scope: Namespaced
  names: {kind: ResourceClaimTemplate, plural: resourceclaimtemplates}
  versions: [{name: v1beta9, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`)
		},
		want: []string{"problem definitions-are-ours" + templates},
		says: "it has the versions v1beta9",
		left: "whether a foreign definition may go is for its owner to say",
	},
	"names that another definition has": {
		make: func(t *testing.T, i *installation) {
			i.remove(t, theTemplates)
			i.create(t, `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.resource.k8s.io, annotations: {api-approved.kubernetes.io: "unapproved, a test"}}
spec:
  group: resource.k8s.io
  scope: Namespaced
  names: {kind: ResourceClaimTemplate, plural: things}
  versions: [{name: v1beta9, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`)
			i.eventually(t, "accept names", func() error {
				return i.condition("things.resource.k8s.io", apiextensionsv1.NamesAccepted, apiextensionsv1.ConditionTrue)
			})
			for _, object := range i.objects {
				if object.GetName() == theTemplates.Name {
					if err := i.put(object); err != nil {
						t.Fatal(err)
					}
				}
			}
			i.eventually(t, "refuse names", func() error {
				return i.condition(theTemplates.Name, apiextensionsv1.NamesAccepted, apiextensionsv1.ConditionFalse)
			})
		},
		want: []string{"problem definitions-are-accepted" + templates},
		says: `its names are not accepted: "ResourceClaimTemplate`,
		left: "whether the other definition may go is for its owner to say",
	},
	"a definition that is being deleted": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theTemplates, func() { theTemplates.Finalizers = append(theTemplates.Finalizers, blocker) })
			i.remove(t, theTemplates)
			t.Cleanup(func() {
				i.change(t, theTemplates, func() {
					theTemplates.Finalizers = slices.DeleteFunc(theTemplates.Finalizers, func(f string) bool { return f == blocker })
				})
			})
		},
		want: []string{"problem definitions-are-accepted" + templates},
		says: "is being deleted",
		left: "somebody's finalizer holds the deletion up",
	},
	"an older version is stored": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefinition, func() {
				for v := range theDefinition.Spec.Versions {
					theDefinition.Spec.Versions[v].Storage = theDefinition.Spec.Versions[v].Name == "v1alpha2"
				}
			})
		},
		want: []string{"problem stored-version-is-newest" + claims},
		says: "stores v1alpha2, and not v1",
	},
	"older versions may still be stored": {
		make: func(t *testing.T, i *installation) {
			i.status(t, theDefinition, func() { theDefinition.Status.StoredVersions = []string{"v1alpha1", "v1"} })
		},
		want: []string{"warning stored-versions-are-migrated" + claims},
		says: "objects may still be stored in v1alpha1",
	},
	"no conversion": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefinition, func() {
				theDefinition.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.NoneConverter}
			})
		},
		want: []string{"problem several-versions-are-converted" + claims},
		says: "v1, v1alpha1, v1alpha2 are served or stored",
	},
	"an uninstall that left the definitions": {
		make: func(t *testing.T, i *installation) {
			i.remove(t, theJudge, theDefaulter, theService, theEndpoints, theDeployment, theSecret)
		},
		want: []string{
			"problem conversion-is-not-left-behind" + claims, "problem conversion-is-not-left-behind" + templates,
		},
		says: "an uninstall left it behind",
		left: "pods are made by a cluster",
	},
	"nothing installed": {
		make: func(t *testing.T, i *installation) {
			i.remove(t, theJudge, theDefaulter, theDefinition, theTemplates, theService, theEndpoints, theDeployment, theSecret)
		},
		want: []string{"problem claimbridge-is-installed API group resource.k8s.io"},
		left: "pods are made by a cluster",
	},
}
