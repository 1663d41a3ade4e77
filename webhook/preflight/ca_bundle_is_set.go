package preflight

import (
	"fmt"

	"github.com/claimbridge/claimbridge/config"
)

var caBundleIsSet = Check{
	Name:     "ca-bundle-is-set",
	Reason:   "Without a CA bundle API servers trust only the public CAs, which sign no certificate of a Service; every call fails with \"certificate signed by unknown authority\". Cg== is a blank bundle, the placeholder of many charts.",
	Severity: Problem,
	Remedy:   "See why nobody fills it in: cert-manager's cainjector, or claimbridge itself with --certificate-secret. With files of your own apply the manifests with --ca-file.",
	find: func(v *view) {
		if v.found(certificateSecretIsFilled) || v.certificates() == config.Self && v.found(deploymentIsAvailable) {
			return // who fills it in does not run, and these say why
		}
		for _, c := range v.calls() {
			field := c.field + ".caBundle"
			switch {
			case c.blank() && c.url != "": // a public certificate needs none; certificate-is-trusted knows
			case len(c.caBundle) == 0:
				v.report(c.object, field+" is missing", fillIn(v, c))
			case c.blank():
				v.report(c.object, field+" is blank, only white space (Cg==)", fillIn(v, c))
			default:
				if _, err := parseCertificates(c.caBundle); err != nil {
					v.report(c.object, fmt.Sprintf("%s cannot be read: %v", field, err), fillIn(v, c))
				}
			}
		}
	},
}

func fillIn(v *view, c call) remedy {
	switch v.certificates() {
	case config.Self:
		if v.found(serverHasItsRights) {
			r := v.apply(config.ServerPart)
			r.text = "the server fills it in once it has its rights again: " + r.text
			return r
		}
		return say("the server should fill it in, and looks every ten seconds: run preflight again; if it is still so then, see its log").by(v.inNamespace("logs", "deployment/"+name, "--tail=50"))
	case config.CertManager:
		return v.byCertManager("cert-manager's cainjector fills it in when the certificate is ready; see whether it is")
	}
	r := v.applyTo(c)
	r.text = "put the CA of your certificate there: " + r.text
	return r
}
