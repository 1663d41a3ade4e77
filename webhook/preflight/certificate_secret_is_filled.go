package preflight

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/claimbridge/claimbridge/config"
)

var certificateSecretIsFilled = Check{
	Name:     "certificate-secret-is-filled",
	Reason:   "The server gets no certificate from a Secret that is not there or has none in it: its pods do not start, or do not get ready.",
	Severity: Problem,
	Remedy:   "With cert-manager look at the Certificate that makes it; with files of your own create it; else look at the log of claimbridge.",
	find: func(v *view) {
		deployment, _ := v.deployment()
		if deployment == nil {
			return
		}
		source, known := sourceOf(deployment)
		if !known {
			return
		}
		secret, seen := get[corev1.Secret](v, secrets, v.options.Namespace, source.name)
		if !seen {
			return
		}
		what := "does not exist, but the Deployment names it"
		if secret != nil {
			_, err := parseCertificates(secret.Data[corev1.TLSCertKey])
			if err == nil {
				return
			}
			if source.authority && deployment.Status.ReadyReplicas == 0 {
				return // the server fills it in once a pod runs: deployment-is-available says that none does
			}
			what = fmt.Sprintf("has no certificate under %s: %v", corev1.TLSCertKey, err)
		}
		v.report(secrets.object(v.options.Namespace, source.name), what, fill(v, source, secret != nil))
	},
}

// fill the Secret, or make it.
func fill(v *view, source certificateSource, exists bool) remedy {
	switch {
	case source.authority && exists:
		return say("the server should fill it in, and looks every ten seconds: run preflight again; if it is still so then, see its log").by(v.inNamespace("logs", "deployment/"+name, "--tail=50"))
	case source.authority:
		return v.apply(config.ServerPart)
	case v.certificates() == config.CertManager:
		return v.byCertManager("cert-manager makes it; see why it does not")
	}
	return say("put your certificate there: kubectl create secret generic %s -n %s --type=kubernetes.io/tls --from-file=tls.crt --from-file=tls.key --from-file=ca.crt",
		source.name, v.options.Namespace)
}
