package preflight

import (
	"context"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/internal/hidden"
)

// aggregatedName of the Service and the Deployment of the aggregated API server, and of its roles.
const aggregatedName = "claimbridge-apiserver"

// flag of the server that is looked at, by its Deployment.
func (v *view) flag(name string) (value string, ok bool) {
	deployment, _ := v.aside().deployment()
	if deployment == nil {
		return "", false
	}
	container := server(deployment)
	if container == nil {
		return "", false
	}
	return flagOf(*container, name)
}

// servedOver v1: the versions that are asked about, those of the server that is there, or those of the manifests.
func (v *view) servedOver() []string {
	if len(v.options.Versions) > 0 {
		return v.options.Versions
	}
	if flag, ok := v.flag("versions"); ok {
		return strings.Split(flag, ",")
	}
	return config.AggregatedByDefault
}

func (v *view) actsAs() string {
	if v.options.ActAs != "" {
		return string(v.options.ActAs)
	}
	if flag, ok := v.flag("act-as"); ok {
		return flag
	}
	return string(config.Caller)
}

// service of the versions that are served over v1, by its version. There may be others of the group.
func (v *view) ofServed() (all []apiService) {
	return slices.DeleteFunc(v.apiServices(), func(s apiService) bool { return !slices.Contains(v.servedOver(), s.Spec.Version) })
}

// leads to a Service with the name of the aggregated API server's, in whatever namespace.
func (s apiService) leads() bool {
	return s.Spec.Service != nil && s.Spec.Service.Name == aggregatedName
}

// leadingHere are the APIServices of all versions that lead to a server of ours.
func (v *view) leadingHere() []apiService {
	return slices.DeleteFunc(v.apiServices(), func(s apiService) bool { return !s.leads() })
}

// behind an APIService that leads to a server of ours the API server may serve the version itself.
func (v *view) behind(object Object, version string) bool {
	is, err := hidden.Behind(v.ctx, func(ctx context.Context, path string) ([]byte, error) {
		return v.cluster.look(ctx, asJSON, path, nil)
	}, v.options.Group+"/"+version)
	if err != nil {
		v.doubt(object, "could not look whether the API server serves "+version+" itself: "+message(err),
			say("find out why the API server does not tell what everybody who is authenticated may know, then run preflight again"))
	}
	return is
}

// proxied are the calls that API servers make by APIServices that lead to a server of ours.
func (v *view) proxied() (all []call) {
	for _, s := range v.leadingHere() {
		all = append(all, call{
			object: apiServices.object("", s.Name), field: "spec", pointer: "/spec", namespace: s.Spec.Service.Namespace, service: s.Spec.Service.Name,
			port: deref(s.Spec.Service.Port, httpsPort), caBundle: s.Spec.CABundle,
		})
	}
	return all
}

// deleteAPIServices, the first thing of an uninstall and the last resort of an outage.
func (v *view) deleteAPIServices() string {
	command := []string{"delete", "apiservice"}
	for _, s := range v.leadingHere() {
		command = append(command, s.Name)
	}
	return v.kubectl(command...)
}
