package preflight

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/config"
)

var serverServesThisGroup = &Check{
	Name:   "server-serves-this-group",
	Reason: "A server that was started for another group refuses to convert and to judge the claims of this one.",
	reads:  []resource{deployments, definitions},
	find: func(s *state, r *report) {
		if s.deployment == nil {
			return
		}
		groups, object := groupsOf(s.deployment), deployments.object(s.Namespace, name)
		if slices.Contains(groups, s.Group) || slices.Contains(groups, "*") {
			return
		}
		what := fmt.Sprintf("serves %s, not %s", strings.Join(groups, ", "), s.Group)
		if len(s.definitions()) == 0 { // the question was about the wrong group
			r.problem(object, what, say("run preflight with --group=%s, which it serves", groups[0]))
			return
		}
		do := s.apply(config.ServerPart)
		do.text += ", or add --group=" + s.Group + " to its flags where it is to serve both"
		r.problem(object, what, do)
	},
}

var groupIsNotBuiltIn = &Check{
	Name: "group-is-not-built-in",
	Reason: "Where an API server serves a version of the group itself, definitions of it get every request for " +
		"claims answered with 404.",
	after: []*Check{serverServesThisGroup},
	reads: []resource{apiServices},
	find: func(s *state, r *report) {
		var builtIn, off []string
		for _, a := range s.ofGroup() {
			if a.builtIn() {
				builtIn, off = append(builtIn, a.Spec.Version), append(off, s.Group+"/"+a.Spec.Version+"=false")
			}
		}
		if len(builtIn) == 0 {
			return
		}
		what := fmt.Sprintf("the API server serves %s of %s itself", strings.Join(builtIn, ", "), s.Group)
		do := s.takeAnotherGroup()
		do.text += fmt.Sprintf(", or start kube-apiserver with --runtime-config=%s", strings.Join(off, ","))
		if len(s.definitions()) > 0 {
			what += ", so requests for claims are answered with 404 as long as the definitions are there"
			do = say("delete the definitions: they hold nothing, since the API server lets nobody write there "+
				"(claims from before an upgrade of Kubernetes are the exception: "+
				"keep the definitions and start kube-apiserver with --runtime-config=%s to have them back). Then "+
				"take a group of your own: claimbridge manifests --group=claims.YOUR-DOMAIN",
				strings.Join(off, ",")).
				by(s.kubectl("delete", "crd", s.definitionName(claims), s.definitionName(templates)),
					s.kubectl("api-resources", "--api-group="+s.Group))
		}
		r.problem(Object{Kind: "API group", Name: s.Group}, what, do)
	},
}

// ofGroup are the APIServices of our group.
func (s *state) ofGroup() []apiService {
	all := slices.DeleteFunc(slices.Clone(s.apiServices), func(a apiService) bool { return a.Spec.Group != s.Group })
	slices.SortFunc(all, func(a, b apiService) int { return strings.Compare(a.Name, b.Name) })
	return all
}

var groupIsNotAggregated = &Check{
	Name:   "group-is-not-aggregated",
	Reason: "An APIService that points to a service takes a version of the group away from the definitions.",
	reads:  []resource{apiServices},
	find: each((*state).ofGroup, func(s *state, r *report, a apiService) {
		if to := a.Spec.Service; to != nil {
			r.problem(apiServices.object("", a.Name),
				fmt.Sprintf("sends requests for %s/%s to Service %s/%s instead of the definitions", a.Spec.Group,
					a.Spec.Version, to.Namespace, to.Name),
				say("remove the program that it belongs to, or what that program left behind").
					by(s.kubectl("delete", "apiservice", a.Name)))
		}
	}),
}

// installation is all by which one can tell that there is one.
var installation = []resource{definitions, validatingConfigurations, mutatingConfigurations, deployments, services}

var claimbridgeIsInstalled = &Check{
	Name:   "claimbridge-is-installed",
	Reason: "Expected before an installation; the other checks tell whether the cluster is fit for it.",
	after:  []*Check{groupIsNotBuiltIn},
	reads:  installation,
	find: func(s *state, r *report) {
		if s.absent() {
			r.problem(Object{Kind: "API group", Name: s.Group},
				fmt.Sprintf("has no definitions of claims, and claimbridge is not in namespace %s", s.Namespace),
				s.installAll())
		}
	},
}

var certManagerIsInstalled = &Check{
	Name: "cert-manager-is-installed",
	Reason: "The manifests for --certificates=cert-manager have objects of cert-manager. Where its definitions are " +
		"missing, kubectl applies all other objects, and no certificate is issued. Made before an installation, and " +
		"with --certificates.",
	after: []*Check{groupIsNotBuiltIn},
	reads: append([]resource{apiServices}, installation...),
	find: func(s *state, r *report) {
		certificates := s.Certificates
		if certificates == "" && s.absent() {
			certificates = config.CertManager // the default of the manifests
		}
		if certificates != config.CertManager || s.hasCertManager() {
			return
		}
		what := "is not served: cert-manager is not in this cluster, so the manifests for " +
			"--certificates=cert-manager would be applied only in part"
		do := say("install cert-manager (https://cert-manager.io) first, or run preflight and manifests with " +
			"--certificates=self: docs/certificates.md")
		r.problem(Object{Kind: "API group", Name: "cert-manager.io"}, what, do)
	},
}
