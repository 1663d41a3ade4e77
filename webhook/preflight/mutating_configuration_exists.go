package preflight

import "github.com/claimbridge/claimbridge/config"

var mutatingConfigurationExists = Check{
	Name:     "mutating-configuration-exists",
	Reason:   "Without it nobody fills in what an API server would: claims of " + newest + " miss the defaults that a definition cannot express.",
	Severity: Problem,
	Remedy:   "Apply the manifests again.",
	find: func(v *view) {
		if v.aside().absent() || v.groupIsBuiltIn() || v.servesAnother() || len(v.aside().leftBehind()) > 0 {
			return // claimbridge-is-installed, group-is-not-built-in, server-serves-this-group or conversion-is-not-left-behind say so
		}
		if configuration, seen := v.mutating(); configuration == nil && seen {
			v.report(mutatingConfigurations.object("", name), "does not exist, so nobody fills in defaults", v.apply(config.WebhooksPart))
		}
	},
}
