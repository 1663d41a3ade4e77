package preflight

import "github.com/claimbridge/claimbridge/config"

var definitionsExist = Check{
	Name:     "definitions-exist",
	Reason:   "Without its CustomResourceDefinition the API server does not know claims, or templates, at all.",
	Severity: Problem,
	Remedy:   "Apply the manifests again. Objects are gone with their definition and have to be restored.",
	find: func(v *view) {
		if v.aside().absent() || v.groupIsBuiltIn() || v.servesAnother() {
			return // claimbridge-is-installed, group-is-not-built-in or server-serves-this-group say so
		}
		for _, plural := range []string{claims, templates} {
			if crd, seen := v.definition(plural); crd == nil && seen {
				v.report(definitions.object("", v.definitionName(plural)), "does not exist", v.apply(config.CRDsPart))
			}
		}
	},
}
