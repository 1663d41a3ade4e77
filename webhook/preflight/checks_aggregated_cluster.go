package preflight

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Where an API server says by which CA it proves to others that a request comes from it.
const (
	authenticationNamespace = "kube-system"
	authenticationName      = "extension-apiserver-authentication"
	proxyAuthority          = "requestheader-client-ca-file"
)

var clusterCanAggregate = Check{
	Name:     "cluster-can-aggregate",
	Reason:   "An API server tells an aggregated one who calls, and proves that by a certificate of its front proxy. Without the CA of that the aggregated API server believes nobody: no APIService gets Available, and no namespace of the cluster finishes deleting.",
	Severity: Problem,
	Remedy:   "Start every API server with the flags of the aggregation layer, --requestheader-client-ca-file, --proxy-client-cert-file and their kin, as installers like kubeadm do.",
	find: func(v *view) {
		authentication, seen := get[corev1.ConfigMap](v, configMaps, authenticationNamespace, authenticationName)
		if !seen || authentication != nil && authentication.Data[proxyAuthority] != "" {
			return
		}
		what := "has no " + proxyAuthority + ": the API server runs without the aggregation layer"
		if authentication == nil {
			what = "does not exist: the API server runs without the aggregation layer"
		}
		v.report(configMaps.object(authenticationNamespace, authenticationName), what,
			say("start every API server with --requestheader-client-ca-file, --requestheader-allowed-names, --requestheader-username-headers, --requestheader-group-headers, "+
				"--requestheader-extra-headers-prefix, --proxy-client-cert-file and --proxy-client-key-file, or install nothing here"))
	},
}

// newestIsDefined means that v1 of the group is of definitions, as claimbridge's own are where the API server does not serve the group.
func (v *view) newestIsDefined() bool {
	return slices.ContainsFunc(v.aside().apiServices(), func(s apiService) bool { return s.Spec.Version == newest && s.defined() })
}

// reportUnlisted versions that the API server serves itself although they have no APIService: somebody deleted that, and it comes back when the API
// server starts.
func (v *view) reportUnlisted() {
	all, seen := list[apiService](v, apiServices, "", "")
	if !seen {
		return
	}
	for _, version := range v.servedOver() {
		service := version + "." + v.options.Group
		if slices.ContainsFunc(all, func(s apiService) bool { return s.Name == service }) {
			continue
		}
		object := apiServices.object("", service)
		_, err := v.cluster.get(v.ctx, "/apis/"+v.options.Group+"/"+version, nil)
		switch {
		case err == nil:
			v.report(object, fmt.Sprintf("does not exist, but the API server serves %s itself, and makes its own again when it starts", version),
				say("leave %s out of --versions: the cluster has it already; or turn it off in every API server (--runtime-config=%s/%s=false)", version, v.options.Group, version))
		case !apierrors.IsNotFound(err):
			v.doubt(object, "could not look whether the API server serves "+version+" itself: "+message(err), say("find out why the API server does not answer, then run preflight again"))
		}
	}
}
