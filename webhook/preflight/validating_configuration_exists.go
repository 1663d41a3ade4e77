package preflight

import "github.com/claimbridge/claimbridge/config"

var validatingConfigurationExists = Check{
	Name:     "validating-configuration-exists",
	Reason:   "Without it nobody judges writes: what an API server of the version's own release would refuse is stored, and leftovers in annotations can be forged.",
	Severity: Problem,
	Remedy:   "Apply the manifests again.",
	find: func(v *view) {
		if v.aside().absent() || v.groupIsBuiltIn() || v.servesAnother() || len(v.aside().leftBehind()) > 0 {
			return // claimbridge-is-installed, group-is-not-built-in, server-serves-this-group or conversion-is-not-left-behind say so
		}
		if configuration, seen := v.validating(); configuration == nil && seen {
			v.report(validatingConfigurations.object("", name), "does not exist, so nobody judges writes", v.apply(config.WebhooksPart))
		}
	},
}
