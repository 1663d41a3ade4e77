package preflight

import (
	"fmt"

	"github.com/claimbridge/claimbridge/config"
)

var conversionIsNotLeftBehind = Check{
	Name:     "conversion-is-not-left-behind",
	Reason:   "claimbridge is gone, but a definition still asks it to convert. Then claims cannot be read or deleted, and garbage collection and the deletion of namespaces stop in the whole cluster.",
	Severity: Problem,
	Remedy:   "Install claimbridge again, or take the definition out of use as docs/preflight.md shows.",
	find: func(v *view) {
		if v.groupIsBuiltIn() {
			return // group-is-not-built-in says that the definitions have to go
		}
		for _, c := range v.leftBehind() {
			v.report(c.object, fmt.Sprintf("asks Service %s/%s to convert, which does not exist, and nothing else of claimbridge is there: an uninstall left it behind", c.namespace, c.service),
				v.comeBack())
		}
	},
}

// leftBehind are the conversions that nobody is there for any more.
func (v *view) leftBehind() (all []call) {
	conversions := v.conversions()
	if len(conversions) == 0 || !v.uninstalled() {
		return nil
	}
	for _, c := range conversions {
		if c.url == "" {
			if service, seen := v.service(c.namespace, c.service); service == nil && seen {
				all = append(all, c)
			}
		}
	}
	return all
}

// comeBack to where the definitions call.
func (v *view) comeBack() remedy {
	r := v.installAll()
	r.text = "install claimbridge again, with --image=... unless your cluster can pull " + config.DefaultImage + ", or take the conversion out as docs/preflight.md shows under \"A conversion that was left behind\""
	return r
}
