package preflight

import (
	"fmt"
	"strings"
)

var definitionsAreOurs = Check{
	Name:     "definitions-are-ours",
	Reason:   "A CustomResourceDefinition of the same name that did not come with claimbridge has other versions and other fields.",
	Severity: Problem,
	Remedy:   "Find out who installed it. Keep a backup of its objects before it is replaced.",
	find: func(v *view) {
		for _, plural := range []string{claims, templates} {
			crd, _ := v.definition(plural)
			if crd == nil || ours(crd) {
				continue
			}
			var has []string
			for _, version := range crd.Spec.Versions {
				has = append(has, version.Name)
			}
			v.report(definitions.object("", crd.Name),
				fmt.Sprintf("did not come with claimbridge (it has no category %s): it has the versions %s", ourCategory, strings.Join(has, ", ")),
				say("find out who installed it, and keep a backup of its objects, before it is deleted and claimbridge's is applied; or take a group of your own").
					by(v.kubectl("get", crd.Name, "-A", "-o", "yaml")))
		}
	},
}
