//go:build e2e

package preflight

import (
	"maps"
	"slices"
	"testing"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// fault is a state of a cluster that should not be, and what preflight says about it: severity, check and object.
type fault struct {
	make func(t *testing.T, i *installation)
	want []string
	// says is part of what a finding says.
	says string
	// skip checks.
	skip []string
	// timeout for the reading of claims.
	timeout time.Duration
	// left says why the commands of the remedies are not enough to mend it. Those of all others are.
	left string
}

var (
	theDefinition = &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "resourceclaims." + group}}
	theTemplates  = &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "resourceclaimtemplates." + group}}
	theJudge      = &admissionregistrationv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}}
	theDefaulter  = &admissionregistrationv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}}
	theService    = &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	theEndpoints  = &discoveryv1.EndpointSlice{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	theDeployment = &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	theSecret     = &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "claimbridge-tls"}}
)

// theVersion of the definition of claims.
func theVersion(version string) *apiextensionsv1.CustomResourceDefinitionVersion {
	return versionOf(theDefinition, version)
}

func versionOf(definition *apiextensionsv1.CustomResourceDefinition, version string) *apiextensionsv1.CustomResourceDefinitionVersion {
	at := slices.IndexFunc(definition.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name == version })
	return &definition.Spec.Versions[at]
}

const (
	claims    = " CustomResourceDefinition resourceclaims." + group
	templates = " CustomResourceDefinition resourceclaimtemplates." + group
	judge     = " ValidatingWebhookConfiguration claimbridge"
	defaulter = " MutatingWebhookConfiguration claimbridge"
	service   = " Service claimbridge-system/claimbridge"
)

// blocker keeps what is deleted from going away.
const blocker = "example.com/test"

var faults = func() map[string]fault {
	all := map[string]fault{}
	for _, some := range []map[string]fault{definitionFaults, serviceFaults, certificateFaults, admissionFaults, policyFaults, releaseFaults, proofFaults} {
		maps.Copy(all, some)
	}
	return all
}()
