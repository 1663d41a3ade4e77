package preflight

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
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
			what = fmt.Sprintf("has no certificate under %s: %v", corev1.TLSCertKey, err)
		}
		remedy := fmt.Sprintf("with cert-manager look at the Certificate that makes it (kubectl -n %s describe certificate %s), with files of your own create it",
			v.options.Namespace, source.name)
		if source.authority {
			remedy = fmt.Sprintf("apply the manifests again if it does not exist, then look at the log of claimbridge, which fills it in (kubectl -n %s logs deployment/%s)",
				v.options.Namespace, name)
		}
		v.report(secrets.object(v.options.Namespace, source.name), what, remedy)
	},
}
