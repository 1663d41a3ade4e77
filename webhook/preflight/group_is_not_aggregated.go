package preflight

import "fmt"

var groupIsNotAggregated = Check{
	Name:     "group-is-not-aggregated",
	Reason:   "An APIService that points to a service takes a version of the group away from the definitions: requests go to that service.",
	Severity: Problem,
	Remedy:   "Remove the program that the APIService belongs to, or use a group of your own.",
	find: func(v *view) {
		for _, s := range v.apiServices() {
			if s.Spec.Service != nil {
				v.report(apiServices.object("", s.Name),
					fmt.Sprintf("sends requests for %s/%s to Service %s/%s instead of the definitions", s.Spec.Group, s.Spec.Version, s.Spec.Service.Namespace, s.Spec.Service.Name),
					say("remove the program that it belongs to, or what that program left behind").by(v.kubectl("delete", "apiservice", s.Name)))
			}
		}
	},
}
