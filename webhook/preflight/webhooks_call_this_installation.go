package preflight

import "fmt"

var webhooksCallThisInstallation = Check{
	Name:     "webhooks-call-this-installation",
	Reason:   "A service of another installation may be of another release, and its certificates are not the ones that are looked at here. A wrong path is answered with 404, which users see as \"the server rejected our request\".",
	Severity: Problem,
	Remedy:   "Apply the manifests again, or say with --namespace which installation is meant.",
	find: func(v *view) {
		for _, c := range v.calls() {
			if c.path != c.wantPath {
				v.report(c.object, fmt.Sprintf("%s calls the path %q, claimbridge answers on %s", c.field, c.path, c.wantPath), v.applyTo(c))
			}
			if c.url != "" || c.namespace == v.options.Namespace && c.service == name {
				continue
			}
			if service, _ := v.aside().service(c.namespace, c.service); service == nil {
				continue // service-exists says so
			}
			v.report(c.object, fmt.Sprintf("%s calls Service %s/%s, not %s/%s", c.field, c.namespace, c.service, v.options.Namespace, name),
				v.callThis(c))
		}
	},
}

// callThis installation, unless the other one was meant.
func (v *view) callThis(c call) remedy {
	r := v.applyTo(c)
	if c.service == name {
		r.text += fmt.Sprintf("; if claimbridge is in namespace %s, run preflight with --namespace=%s instead", c.namespace, c.namespace)
	}
	return r
}
