package preflight

import (
	"fmt"
	"strings"
)

var groupIsNotBuiltIn = Check{
	Name:     "group-is-not-built-in",
	Reason:   "Where an API server serves any version of the group itself, definitions of the same group take over discovery and every request for claims is answered with 404.",
	Severity: Problem,
	Remedy:   "Delete the definitions, then either use a group of your own (claimbridge manifests --group), or turn the built-in versions off (--runtime-config of kube-apiserver).",
	find: func(v *view) {
		var builtIn []string
		for _, s := range v.apiServices() {
			if s.builtIn() {
				builtIn = append(builtIn, s.Spec.Version)
			}
		}
		if len(builtIn) == 0 {
			return
		}
		group := v.options.Group
		what := fmt.Sprintf("the API server serves %s of %s itself", strings.Join(builtIn, ", "), group)
		remedy := fmt.Sprintf("do not install the definitions of %s here: use a group of your own (claimbridge manifests --group), or start kube-apiserver with --runtime-config=%s",
			group, strings.Join(switchedOff(group, builtIn), ","))
		if len(v.aside().definitions()) > 0 {
			what += ", so requests for claims are answered with 404 as long as the definitions are there"
			remedy = fmt.Sprintf("kubectl delete crd %s %s, which deletes their claims (claimbridge convert keeps those of a backup usable); then %s",
				v.definitionName(claims), v.definitionName(templates), remedy)
		}
		v.report(Object{Kind: "API group", Name: group}, what, remedy)
	},
}

func switchedOff(group string, versions []string) (config []string) {
	for _, version := range versions {
		config = append(config, group+"/"+version+"=false")
	}
	return config
}
