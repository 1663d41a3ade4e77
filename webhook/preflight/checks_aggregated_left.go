package preflight

import (
	"slices"
	"strings"
)

var apiServicesAreServed = Check{
	Name:     "api-services-are-served",
	Reason:   "The server answers a version that it does not serve with 404. An APIService that leads to it for such a version, as one that stays when the version is taken out of --versions, keeps every namespace of the cluster from being deleted.",
	Severity: Problem,
	Remedy:   "Delete the APIService. Where that version is still needed have the server serve it.",
	find: func(v *view) {
		served, known := v.flag("versions")
		for _, s := range v.leadingHere() {
			version, object := s.Spec.Version, apiServices.object("", s.Name)
			switch {
			case s.Spec.Service.Namespace != v.options.Namespace || slices.Contains(v.options.Versions, version):
			case known && !slices.Contains(strings.Split(served, ","), version):
				v.report(object, "leads here, and "+version+" is not among --versions: it is answered with 404, and no namespace of the cluster finishes deleting", v.deleteLeft(s))
			case len(v.options.Versions) > 0:
				v.warn(object, "leads here, and "+version+" is not among --versions: from when the server serves these alone it is answered with 404, and no namespace of the cluster finishes deleting", v.deleteLeft(s))
			}
		}
	},
}

func (v *view) deleteLeft(s apiService) remedy {
	return say("delete it; clients that still use %s need another version first", s.Spec.Version).by(v.kubectl("delete", "apiservice", s.Name))
}
