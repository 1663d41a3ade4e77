package preflight

import (
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/claimbridge/claimbridge/config"
)

var certificateSecretIsFilled = &Check{
	Name:   "certificate-secret-is-filled",
	Reason: "Without a certificate in its Secret the pods of the server do not start, or do not get ready.",
	reads:  []resource{deployments, secrets},
	find: func(s *state, r *report) {
		source := s.certificateSource()
		if !source.known {
			return
		}
		what, server := "does not exist, but the Deployment names it", s.apply(config.ServerPart)
		if secret := s.secrets[source.name]; secret != nil {
			_, err := parseCertificates(secret.Data[corev1.TLSCertKey])
			if err == nil {
				return
			}
			if source.authority && s.deployment.Status.ReadyReplicas == 0 {
				return // the server fills it in once a pod runs: deployment-is-available says that none does
			}
			what, server = fmt.Sprintf("has no certificate under %s: %v", corev1.TLSCertKey, err), s.byServer()
		}
		r.problem(secrets.object(s.Namespace, source.name), what,
			s.byIssuer(server, "cert-manager makes it; see why it does not",
				say("put your certificate there: kubectl create secret generic %s -n %s --type=kubernetes.io/tls "+
					"--from-file=tls.crt --from-file=tls.key --from-file=ca.crt",
					source.name, s.Namespace)))
	},
}

var deploymentIsAvailable = &Check{
	Name: "deployment-is-available",
	Reason: "With fewer pods than wanted the next failure ends conversion. A server that is no Deployment named " +
		"claimbridge is not looked at.",
	after: []*Check{certificateSecretIsFilled}, // without it no pod starts
	reads: []resource{deployments},
	find: func(s *state, r *report) {
		if s.deployment == nil {
			return
		}
		object := deployments.object(s.Namespace, name)
		do := say("see why they do not start, or do not get ready; docs/troubleshooting.md, \"The installation\", "+
			"has the texts, as of an image that cannot be pulled").
			by(s.inNamespace("describe", "deployment,replicasets,pods"),
				s.inNamespace("logs", "deployment/"+name, "--tail=20"))
		wanted, ready := ptr.Deref(s.deployment.Spec.Replicas, 1), s.deployment.Status.ReadyReplicas
		switch {
		case wanted == 0:
			r.problem(object, "is scaled to 0",
				say("start it").by(s.inNamespace("scale", "deployment", name, "--replicas=2")))
		case ready == 0:
			r.problem(object, fmt.Sprintf("none of its %d pods is ready%s", wanted, because(s.deployment)), do)
		case ready < wanted:
			r.add(Warning, object, fmt.Sprintf("%d of its %d pods are ready%s", ready, wanted, because(s.deployment)),
				do)
		}
	},
}

// because of what the Deployment's conditions say.
func because(deployment *appsv1.Deployment) string {
	var all []string
	for _, c := range deployment.Status.Conditions {
		bad := (c.Type == appsv1.DeploymentReplicaFailure) == (c.Status == corev1.ConditionTrue)
		if bad && c.Message != "" {
			all = append(all, c.Message)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return ": " + strings.Join(all, " ")
}
