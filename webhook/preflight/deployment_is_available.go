package preflight

import (
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

var deploymentIsAvailable = Check{
	Name:     "deployment-is-available",
	Reason:   "With fewer pods than wanted the next failure or the next node that is drained ends conversion. Who runs the server otherwise than by a Deployment named claimbridge is not asked.",
	Severity: Problem,
	Remedy:   "Look at the pods: why they do not start, or do not get ready.",
	find: func(v *view) {
		deployment, _ := v.deployment()
		if deployment == nil {
			return
		}
		object := deployments.object(deployment.Namespace, deployment.Name)
		remedy := fmt.Sprintf("look at the pods: kubectl -n %s describe deployment,pods", deployment.Namespace)
		wanted, ready := deref(deployment.Spec.Replicas, 1), deployment.Status.ReadyReplicas
		switch {
		case wanted == 0:
			v.report(object, "is scaled to 0", fmt.Sprintf("kubectl -n %s scale deployment %s --replicas=2", deployment.Namespace, deployment.Name))
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
