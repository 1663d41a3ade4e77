//go:build e2e

package preflight

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
)

// serviceFaults are on the way to the server.
var serviceFaults = map[string]fault{
	"conversion by a service of another namespace": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefinition, func() { theDefinition.Spec.Conversion.Webhook.ClientConfig.Service.Namespace = "other" })
		},
		want: []string{"problem service-exists Service other/claimbridge"},
		says: "is called by CustomResourceDefinition resourceclaims.resource.k8s.io",
	},
	"conversion by another service, which does exist": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDefinition, func() {
				theDefinition.Spec.Conversion.Webhook.ClientConfig.Service.Namespace, theDefinition.Spec.Conversion.Webhook.ClientConfig.Service.Name = "default", "kubernetes"
			})
		},
		want: []string{"problem webhooks-call-this-installation" + claims},
		says: "calls Service default/kubernetes, not claimbridge-system/claimbridge",
	},
	"a wrong path": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theTemplates, func() { theTemplates.Spec.Conversion.Webhook.ClientConfig.Service.Path = ptr.To("/other") })
		},
		want: []string{"problem webhooks-call-this-installation" + templates},
		says: `calls the path "/other", claimbridge answers on /convert`,
	},
	"the service is missing": {
		make: func(t *testing.T, i *installation) { i.remove(t, theService) },
		want: []string{"problem service-exists" + service},
	},
	"the service has another port": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theService, func() { theService.Spec.Ports[0].Port = 8443 })
		},
		want: []string{"problem service-has-port" + service},
		says: "has no TCP port 443",
	},
	"no pod": {
		make: func(t *testing.T, i *installation) { i.remove(t, theEndpoints) },
		want: []string{"problem service-has-endpoints" + service},
		says: "no pod matches its selector",
		left: "pods are made by a cluster",
	},
	"endpoints that are not ready, of pods that are": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theEndpoints, func() { theEndpoints.Endpoints[0].Conditions.Ready = ptr.To(false) })
		},
		want: []string{"problem service-has-endpoints" + service},
		says: "has no endpoint that is ready, of 1",
		left: "pods are made by a cluster",
	},
	"no pod is ready": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theEndpoints, func() { theEndpoints.Endpoints[0].Conditions.Ready = ptr.To(false) })
			i.status(t, theDeployment, func() { theDeployment.Status.ReadyReplicas = 0 })
		},
		want: []string{"problem deployment-is-available Deployment claimbridge-system/claimbridge"},
		says: "none of its 2 pods is ready",
		left: "pods are made by a cluster",
	},
	"the service leads to a port that pods do not have": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theService, func() { theService.Spec.Ports[0].TargetPort = intstr.FromString("https") })
			i.change(t, theEndpoints, func() { theEndpoints.Ports = nil })
		},
		want: []string{"problem service-has-endpoints" + service},
		says: "its pods have no port https, the target of port 443",
		left: "pods are made by a cluster",
	},
	"nothing but a fresh installation, whose pods do not run yet": {
		make: func(t *testing.T, i *installation) {
			i.shareCA(t, nil)
			i.remove(t, theEndpoints)
			i.status(t, theDeployment, func() { theDeployment.Status.ReadyReplicas = 0 })
			i.change(t, theJudge, func() { theJudge.Webhooks[0].ClientConfig.CABundle = nil })
			i.change(t, theDefaulter, func() { theDefaulter.Webhooks[0].ClientConfig.CABundle = nil })
			i.change(t, theDefinition, func() { theDefinition.Spec.Conversion.Webhook.ClientConfig.CABundle = nil })
			i.change(t, theTemplates, func() { theTemplates.Spec.Conversion.Webhook.ClientConfig.CABundle = nil })
		},
		want: []string{"problem deployment-is-available Deployment claimbridge-system/claimbridge"},
		left: "pods are made by a cluster",
	},
	"fewer pods than wanted": {
		make: func(t *testing.T, i *installation) {
			i.status(t, theDeployment, func() {
				theDeployment.Status.ReadyReplicas = 1
				theDeployment.Status.Conditions = []appsv1.DeploymentCondition{{Type: appsv1.DeploymentReplicaFailure, Status: corev1.ConditionTrue, Message: "no room."}}
			})
		},
		want: []string{"warning deployment-is-available Deployment claimbridge-system/claimbridge"},
		says: "1 of its 2 pods are ready: no room.",
		left: "pods are made by a cluster",
	},
	"scaled to nothing": {
		make: func(t *testing.T, i *installation) {
			i.change(t, theDeployment, func() { theDeployment.Spec.Replicas = ptr.To(int32(0)) })
		},
		want: []string{"problem deployment-is-available Deployment claimbridge-system/claimbridge"},
		says: "is scaled to 0",
	},
	"a URL instead of a service, which is no fault": {
		make: func(t *testing.T, i *installation) { i.callByURL(t, i.address.String()) },
	},
	"a URL where nobody is": {
		make: func(t *testing.T, i *installation) { i.callByURL(t, "127.0.0.1:1") },
		want: []string{"problem claims-can-be-written" + claims, "unknown certificate-is-current" + claims, "unknown certificate-is-trusted" + claims},
		says: "could not look at what https://127.0.0.1:1/convert presents: ",
	},
}

// callByURL for the conversion of claims.
func (i *installation) callByURL(t *testing.T, address string) {
	t.Helper()
	i.change(t, theDefinition, func() {
		config := theDefinition.Spec.Conversion.Webhook.ClientConfig
		config.Service, config.URL = nil, ptr.To("https://"+address+"/convert")
	})
}
