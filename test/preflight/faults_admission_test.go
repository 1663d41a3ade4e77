//go:build e2e

package preflight

import (
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// admissionFaults are in who judges writes.
var admissionFaults = map[string]fault{
	"nobody judges": {
		make: func(t *testing.T, i *installation) { i.remove(t, theJudge) },
		want: []string{"problem validating-configuration-exists" + judge},
	},
	"nobody fills in defaults": {
		make: func(t *testing.T, i *installation) { i.remove(t, theDefaulter) },
		want: []string{"problem mutating-configuration-exists" + defaulter},
	},
	"judging is optional": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theJudge, func() { theJudge.Webhooks[0].FailurePolicy = ptr.To(admissionregistrationv1.Ignore) })
		},
		want: []string{"problem webhooks-are-not-optional" + judge},
	},
	"a version that nobody judges": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theJudge, func() {
				for r := range theJudge.Webhooks[0].Rules {
					theJudge.Webhooks[0].Rules[r].APIVersions = []string{"v1alpha1", "v1"}
				}
			})
		},
		want: []string{"problem every-served-version-is-judged" + judge},
		says: "has no rule for version v1alpha2: create of resourceclaims, update of resourceclaims, create of resourceclaimtemplates, update of resourceclaimtemplates, update of resourceclaims/status",
	},
	"status that nobody judges": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theJudge, func() { theJudge.Webhooks[0].Rules = theJudge.Webhooks[0].Rules[:1] })
		},
		want: []string{"problem every-served-version-is-judged" + judge},
		says: "has no rule for version v1alpha1, v1alpha2, v1: update of resourceclaims/status",
	},
	"writes that somebody judges in one version more than in the others": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theJudge, func() {
				rules := &theJudge.Webhooks[0].Rules
				another := *(*rules)[0].DeepCopy()
				(*rules)[0].Operations, another.APIVersions = []admissionregistrationv1.OperationType{admissionregistrationv1.Create}, []string{"v1alpha2"}
				*rules = append(*rules, another)
				(*rules)[1].APIVersions = []string{"v1alpha1", "v1alpha2"}
			})
		},
		want: []string{"problem every-served-version-is-judged" + judge},
		says: "has no rule for version v1alpha1: update of resourceclaims, update of resourceclaimtemplates; nor for version v1: update of resourceclaims, update of resourceclaimtemplates, update of resourceclaims/status",
	},
	"a version that nobody judges, but that is not served": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theJudge, func() {
				for r := range theJudge.Webhooks[0].Rules {
					theJudge.Webhooks[0].Rules[r].APIVersions = []string{"v1alpha2", "v1"}
				}
			})
			for _, definition := range []*apiextensionsv1.CustomResourceDefinition{theDefinition, theTemplates} {
				i.change(t, definition, func() { versionOf(definition, "v1alpha1").Served = false })
			}
		},
	},
	"namespaces that nobody judges": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theJudge, func() {
				theJudge.Webhooks[0].NamespaceSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"judge": "yes"}}
			})
		},
		want: []string{"problem no-write-is-exempt" + judge},
		says: "because of its namespaceSelector",
	},
	"users whom nobody judges": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefaulter, func() {
				theDefaulter.Webhooks[0].MatchConditions = []admissionregistrationv1.MatchCondition{{Name: "not-me", Expression: "request.userInfo.username != 'me'"}}
			})
		},
		want: []string{"problem no-write-is-exempt" + defaulter},
		says: "because of its matchConditions",
	},
}
