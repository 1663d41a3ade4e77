//go:build e2e

package preflight

import (
	"context"
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

var (
	thePolicy  = &admissionregistrationv1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: name}}
	theBinding = &admissionregistrationv1.ValidatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: name}}
)

// policyFaults are in what holds the account of the server to the caBundle.
var policyFaults = map[string]fault{
	"a policy for the account of the server, which is no fault": {
		make: func(t *testing.T, i *installation) { i.holdAccount(t) },
	},
	"a policy whose binding is gone": {
		make: func(t *testing.T, i *installation) {
			i.holdAccount(t)
			i.remove(t, theBinding)
		},
		want: []string{"problem objects-are-of-this-release ValidatingAdmissionPolicyBinding claimbridge"},
		says: "--certificates=self --admission-policy --versions=v1,v1alpha1,v1alpha2 --image=",
	},
	"a binding whose policy is gone": {
		make: func(t *testing.T, i *installation) {
			i.holdAccount(t)
			i.remove(t, thePolicy)
		},
		want: []string{"problem objects-are-of-this-release ValidatingAdmissionPolicy claimbridge"},
	},
	"a policy that matches nobody": {
		make: func(t *testing.T, i *installation) {
			i.holdAccount(t)
			i.change(t, thePolicy, func() {
				thePolicy.Spec.MatchConditions = append(thePolicy.Spec.MatchConditions, admissionregistrationv1.MatchCondition{Name: "nobody", Expression: "false"})
			})
		},
		want: []string{"problem objects-are-of-this-release ValidatingAdmissionPolicy claimbridge"},
		says: "is not that of this release",
	},
	"a binding that only warns": {
		make: func(t *testing.T, i *installation) {
			i.holdAccount(t)
			i.change(t, theBinding, func() {
				theBinding.Spec.ValidationActions = []admissionregistrationv1.ValidationAction{admissionregistrationv1.Warn}
			})
		},
		want: []string{"problem objects-are-of-this-release ValidatingAdmissionPolicyBinding claimbridge"},
		says: `spec.validationActions is ["Warn"], not ["Deny"]`,
	},
	"a binding that leaves out objects without a label": {
		make: func(t *testing.T, i *installation) {
			i.holdAccount(t)
			i.change(t, theBinding, func() {
				theBinding.Spec.MatchResources = &admissionregistrationv1.MatchResources{ObjectSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"held": "yes"}}}
			})
		},
		want: []string{"problem objects-are-of-this-release ValidatingAdmissionPolicyBinding claimbridge"},
	},
}

// holdAccount of a server that is its own CA, as the manifests with --admission-policy do.
func (i *installation) holdAccount(t *testing.T) {
	t.Helper()
	i.shareCA(t, i.authority.pem)
	manifests := must.Get(config.Manifests(config.Options{Group: i.group, Certificates: config.Self, AdmissionPolicy: true}))(t)
	for _, object := range parse(t, manifests) {
		if !strings.HasPrefix(object.GetObjectKind().GroupVersionKind().Kind, "ValidatingAdmissionPolicy") {
			continue
		}
		must.Do(t, i.Create(context.Background(), object))
		t.Cleanup(func() {
			if err := i.Delete(context.Background(), object); client.IgnoreNotFound(err) != nil {
				t.Error(err)
			}
		})
	}
}
