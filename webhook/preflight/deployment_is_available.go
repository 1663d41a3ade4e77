package preflight

import (
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

var deploymentIsAvailable = Check{
	Name:     "deployment-is-available",
	Reason:   "With fewer pods than wanted the next failure or the next node that is drained ends conversion. A server that is not run by a Deployment named claimbridge is not looked at.",
	Severity: Problem,
	Remedy:   "See why the pods do not start, or do not get ready.",
	find: func(v *view) {
		deployment, _ := v.deployment()
		if deployment == nil || v.found(certificateSecretIsFilled) {
			return // without the Secret no pod starts
		}
		object := deployments.object(deployment.Namespace, deployment.Name)
		remedy := v.podsOf()
		wanted, ready := deref(deployment.Spec.Replicas, 1), deployment.Status.ReadyReplicas
		switch {
		case wanted == 0:
			v.report(object, "is scaled to 0", say("start it").by(v.inNamespace("scale", "deployment", deployment.Name, "--replicas=2")))
		case ready == 0:
			v.report(object, fmt.Sprintf("none of its %d pods is ready%s", wanted, because(deployment)), remedy)
		case ready < wanted:
			v.warn(object, fmt.Sprintf("%d of its %d pods are ready%s", ready, wanted, because(deployment)), remedy)
		}
	},
}

// because of what the Deployment's conditions say.
func because(deployment *appsv1.Deployment) string {
	var all []string
	for _, c := range deployment.Status.Conditions {
		if bad := (c.Type == appsv1.DeploymentReplicaFailure) == (c.Status == corev1.ConditionTrue); bad && c.Message != "" {
			all = append(all, c.Message)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return ": " + strings.Join(all, " ")
}
