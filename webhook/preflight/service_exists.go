package preflight

import "github.com/claimbridge/claimbridge/config"

var serviceExists = Check{
	Name:     "service-exists",
	Reason:   "API servers find claimbridge by its Service. Without it no claim can be converted and none can be written.",
	Severity: Problem,
	Remedy:   "Apply the manifests again.",
	find: func(v *view) {
		if len(v.aside().leftBehind()) > 0 {
			return // conversion-is-not-left-behind says so
		}
		for _, calls := range v.calledServices() {
			c := calls[0]
			if service, seen := v.service(c.namespace, c.service); service == nil && seen {
				v.report(services.object(c.namespace, c.service), "does not exist, or its namespace does not, but is called by "+callers(calls), v.calledAgain(c))
			}
		}
	},
}

// calledAgain by the objects that call a Service which is not there: either it has to be made, or they name the wrong one.
func (v *view) calledAgain(c call) remedy {
	if c.namespace == v.options.Namespace && c.service == name {
		return v.apply(config.ServerPart)
	}
	return v.applyTo(c)
}
