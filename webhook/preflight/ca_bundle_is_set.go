package preflight

import "fmt"

var caBundleIsSet = Check{
	Name:     "ca-bundle-is-set",
	Reason:   "Without a CA bundle API servers trust only the public CAs, which sign no certificate of a Service; every call fails with \"certificate signed by unknown authority\". Cg== is a blank bundle, the placeholder of many charts.",
	Severity: Problem,
	Remedy:   "Find out why nobody fills it in: cert-manager's cainjector, or claimbridge itself with --certificate-secret.",
	find: func(v *view) {
		for _, c := range v.calls() {
			field := c.field + ".caBundle"
			switch {
			case c.blank() && c.url != "": // a public certificate needs none; certificate-is-trusted knows
			case len(c.caBundle) == 0:
				v.report(c.object, field+" is missing", fillIn(v))
			case c.blank():
				v.report(c.object, field+" is blank, only white space (Cg==)", fillIn(v))
			default:
				if _, err := parseCertificates(c.caBundle); err != nil {
					v.report(c.object, fmt.Sprintf("%s cannot be read: %v", field, err), fillIn(v))
				}
			}
		}
	},
}

func fillIn(v *view) string {
	return fmt.Sprintf("find out why nobody fills it in: with cert-manager look at the log of its cainjector and at Certificate claimbridge-ca, without it at the log of claimbridge (kubectl -n %s logs deployment/%s); with files of your own put your CA there",
		v.options.Namespace, name)
}
