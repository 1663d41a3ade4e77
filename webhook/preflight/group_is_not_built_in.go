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
		if v.servesAnother() {
			return // server-serves-this-group says that the question was about the wrong group
		}
		group := v.options.Group
		what := fmt.Sprintf("the API server serves %s of %s itself", strings.Join(builtIn, ", "), group)
		r := v.takeAnotherGroup()
		r.text += fmt.Sprintf(", or start kube-apiserver with --runtime-config=%s", strings.Join(switchedOff(group, builtIn), ","))
		if len(v.aside().definitions()) > 0 {
			what += ", so requests for claims are answered with 404 as long as the definitions are there"
			r = say("delete the definitions: they hold nothing, since the API server lets nobody write there (claims from before an upgrade of Kubernetes are the exception: "+
				"keep the definitions and start kube-apiserver with --runtime-config=%s to have them back). Then take a group of your own: claimbridge manifests --group=claims.YOUR-DOMAIN",
				strings.Join(switchedOff(group, builtIn), ",")).
				by(v.kubectl("delete", "crd", v.definitionName(claims), v.definitionName(templates)), v.kubectl("api-resources", "--api-group="+group))
		}
		v.report(Object{Kind: "API group", Name: group}, what, r)
	},
}

func switchedOff(group string, versions []string) (config []string) {
	for _, version := range versions {
		config = append(config, group+"/"+version+"=false")
	}
	return config
}
