package preflight

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/config"
)

// AggregatedChecks are those of the aggregated API server, in the order in which they are made: what the cluster must be like, the server,
// the way to it, its certificates, and at last the proof. Some are checks of the webhook server as well, with another reason.
var AggregatedChecks = []Check{
	clusterServesTheNewest,
	clusterCanAggregate,
	groupHasNoDefinitions,
	versionsAreFree,
	apiServicesAreServed,
	aggregatedServerIsInstalled,
	certificateSecretIsFilled,
	accountHasItsRights,
	impersonationIsConstrained,
	policiesDoWithoutExtras,
	withReason(deploymentIsAvailable, "With fewer pods than wanted the next failure or the next node that is drained ends the old versions and the deletion of namespaces. A server that is not run by a Deployment named claimbridge-apiserver is not looked at."),
	withReason(serviceExists, "API servers find the aggregated API server by its Service. Without it old versions are answered with 503, and no namespace finishes deleting."),
	serviceHasPort,
	serviceHasEndpoints,
	withReason(caBundleIsSet, "Without a CA bundle API servers trust only the public CAs, which sign no certificate of a Service: the APIService gets no Available."),
	caBundleIsCurrent,
	certificateIsCurrent,
	withReason(certificateIsTrusted, "Each APIService has a CA bundle of its own. Where that is not the CA of the certificate that is served, or the certificate has another name, every request fails."),
	apiServicesAreAvailable,
	oldVersionsCanBeRead,
	noNamespaceWaits,
}

// withReason of its own: a check that both servers have.
func withReason(c Check, reason string) Check {
	c.Reason = reason
	return c
}

var clusterServesTheNewest = Check{
	Name:     "cluster-serves-the-newest-version",
	Reason:   "Old versions are served over the cluster's own v1 of resource.k8s.io, which Kubernetes serves from 1.34 on.",
	Severity: Problem,
	Remedy:   "Turn it on (--runtime-config of kube-apiserver), or install the definitions of claimbridge where the cluster is older.",
	find: func(v *view) {
		all, seen := list[apiService](v, apiServices, "", "")
		if !seen || slices.ContainsFunc(all, func(s apiService) bool {
			return s.Name == newest+"."+v.options.Group && s.Spec.Service == nil && !s.defined()
		}) {
			return
		}
		if v.newestIsDefined() {
			v.report(apiServices.object("", newest+"."+v.options.Group), newest+" here is of definitions (CustomResourceDefinitions), which hold the claims, and not of the API server: there is nothing to aggregate over",
				say("keep the definitions: deleting them deletes all claims. The webhook server serves every version of them: docs/quick-start.md"))
			return
		}
		v.report(Object{Kind: "API group", Name: v.options.Group}, fmt.Sprintf("the API server does not serve %s itself, over which old versions would be served", newest),
			say("serve it (Kubernetes 1.34 or newer, and no --runtime-config against it), or install the definitions of claimbridge: docs/quick-start.md"))
	},
}

var groupHasNoDefinitions = Check{
	Name:     "group-has-no-definitions",
	Reason:   "A definition of resource.k8s.io takes discovery away from the API server's own versions, and has an APIService of its own for each of its versions, which the API server writes back.",
	Severity: Problem,
	Remedy:   "Move what they hold to a group of your own, then delete them. Keep them where v1 itself is of definitions: they hold all claims.",
	find: func(v *view) {
		all, _ := list[struct {
			metav1.ObjectMeta `json:"metadata"`
			Spec              struct {
				Group string `json:"group"`
			} `json:"spec"`
		}](v, definitions, "", "")
		if !v.groupIsBuiltIn() {
			return // where the API server does not serve the group itself, or nobody can say, they hold all claims
		}
		for _, crd := range all {
			if crd.Spec.Group == v.options.Group {
				v.report(definitions.object("", crd.Name), "is a definition of "+v.options.Group+", which the API server serves itself",
					say("see what it holds, and move that to a group of your own; then delete it").by(v.kubectl("get", "crd", crd.Name)))
			}
		}
	},
}

var versionsAreFree = Check{
	Name:     "versions-are-free",
	Reason:   "A version has one APIService. Where the API server serves the version itself, one of ours hides it, and an API server that restarts while our pods are away does not get ready. Another program's would be cut off.",
	Severity: Problem,
	Remedy:   "Leave the version out (--versions), or turn it off in every API server (--runtime-config) and restart them first.",
	find: func(v *view) {
		if v.newestIsDefined() {
			return // cluster-serves-the-newest-version says what these versions are
		}
		v.reportUnlisted()
		for _, s := range v.ofServed() {
			object := apiServices.object("", s.Name)
			switch {
			case s.builtIn() && s.Spec.Service != nil:
				v.report(object, "is the API server's own, turned to a Service by hand: its next start turns it back",
					say("have claimbridge leave the version out, or turn it off in every API server (--runtime-config=%s/%s=false); then delete this APIService and apply it again, without its label",
						v.options.Group, s.Spec.Version))
			case s.defined():
				v.report(object, "is of a definition, by which the API server serves "+s.Spec.Version, say("leave %s out of --versions", s.Spec.Version))
			case s.Spec.Service == nil:
				v.report(object, fmt.Sprintf("the API server serves %s itself", s.Spec.Version),
					say("leave %s out of --versions: the cluster has it already; or turn it off in every API server (--runtime-config=%s/%s=false)", s.Spec.Version, v.options.Group, s.Spec.Version))
			case !s.leads():
				v.report(object, fmt.Sprintf("sends %s to Service %s/%s", s.Spec.Version, s.Spec.Service.Namespace, s.Spec.Service.Name),
					say("remove the program that it belongs to first, or leave %s out of --versions", s.Spec.Version))
			case s.Spec.Service.Namespace != v.options.Namespace:
				v.report(object, fmt.Sprintf("sends %s to the server in namespace %s, not %s", s.Spec.Version, s.Spec.Service.Namespace, v.options.Namespace),
					say("if that one is meant, ask about it").by(v.again("--aggregated", "--namespace="+s.Spec.Service.Namespace)))
			case v.behind(object, s.Spec.Version):
				v.report(object, fmt.Sprintf("hides %s, which the API server serves itself by now: one that restarts while our pods are away does not get ready", s.Spec.Version),
					say("turn it off again in every API server (--runtime-config=%s/%s=false); or delete this APIService, restart every API server once more, one after the other, and leave %s out of --versions",
						v.options.Group, s.Spec.Version, s.Spec.Version))
			}
		}
	},
}

var aggregatedServerIsInstalled = Check{
	Name:     "aggregated-server-is-installed",
	Reason:   "Before an installation this is expected, and the checks before it tell whether the cluster is fit for it.",
	Severity: Problem,
	Remedy:   "Install it, or say where it is with --namespace.",
	find: func(v *view) {
		if v.explained(clusterServesTheNewest, clusterCanAggregate, groupHasNoDefinitions, versionsAreFree) {
			return // it must not be
		}
		if _, seen := list[apiService](v, apiServices, "", ""); !seen {
			return // nobody can say which there are
		}
		for _, version := range v.servedOver() {
			if slices.ContainsFunc(v.ofServed(), func(s apiService) bool { return s.Spec.Version == version }) {
				continue
			}
			if deployment, seen := v.deployment(); deployment == nil && seen {
				flags := append(v.whereFlags(), "--certificates="+string(v.certificatesToBe()))
				v.report(Object{Kind: "Namespace", Name: v.options.Namespace}, "has no aggregated API server, and no APIService leads to one",
					say("install it, with --image=... unless your cluster can pull %s", config.DefaultAggregatedImage).
						by(v.manifests(flags)+" | "+v.kubectl("apply", "--server-side", "-f", "-")))
				return
			}
			v.report(apiServices.object("", version+"."+v.options.Group), "does not exist, so nobody gets to "+version, v.apply(config.APIServicesPart))
		}
	},
}

// certificatesToBe where nothing is installed yet.
func (v *view) certificatesToBe() config.Certificates {
	if slices.ContainsFunc(v.aside().allAPIServices(), func(s apiService) bool { return s.Spec.Group == "cert-manager.io" }) {
		return config.CertManager
	}
	return config.Self
}

var apiServicesAreAvailable = Check{
	Name:     "api-services-are-available",
	Reason:   "While an APIService is not available its version is answered with 503, and no namespace of the cluster finishes deleting, whatever is in it.",
	Severity: Problem,
	Remedy:   "Bring the server back; if that takes long, delete the APIServices, which frees the namespaces.",
	find: func(v *view) {
		for _, s := range v.leadingHere() {
			i := slices.IndexFunc(s.Status.Conditions, func(c metav1.Condition) bool { return c.Type == "Available" })
			if i >= 0 && s.Status.Conditions[i].Status == metav1.ConditionTrue {
				continue
			}
			if v.foundOf(apiServices.object("", s.Name), apiServicesAreServed) {
				continue // it says that this one has to go
			}
			if v.explained(clusterCanAggregate, certificateSecretIsFilled, deploymentIsAvailable, serviceExists, serviceHasPort, serviceHasEndpoints, caBundleIsSet, caBundleIsCurrent, certificateIsCurrent, certificateIsTrusted) {
				continue // these say why
			}
			what := "is not known to be available"
			if i >= 0 {
				what = "is not available: " + s.Status.Conditions[i].Message
			}
			v.report(apiServices.object("", s.Name), what+", so no namespace finishes deleting",
				say("see why API servers do not reach it; docs/aggregated.md, \"An outage\", has the way out").
					by(v.kubectl("describe", "apiservice", s.Name), v.inNamespace("get", "pods", "-o", "wide")))
		}
	},
}

// kindsOf a version, as they are served over v1, by their plural names.
func kindsOf(version string) []string {
	if strings.HasPrefix(version, "v1alpha") {
		return []string{claims, templates}
	}
	return []string{claims, templates, "deviceclasses", "resourceslices"}
}

var oldVersionsCanBeRead = Check{
	Name:     "old-versions-can-be-read",
	Reason:   "The proof: one object of each kind is listed in each version, by the way that clients take. It fails where the server may not act as its callers.",
	Severity: Problem,
	Remedy:   "As the API server's message says; docs/aggregated.md has the texts.",
	find: func(v *view) {
		if v.explained(clusterServesTheNewest, clusterCanAggregate, versionsAreFree, accountHasItsRights, impersonationIsConstrained, apiServicesAreAvailable, deploymentIsAvailable, serviceExists, serviceHasEndpoints, certificateIsTrusted, caBundleIsSet) {
			return
		}
		for _, s := range v.leadingHere() {
			if v.foundOf(apiServices.object("", s.Name), apiServicesAreServed) {
				continue
			}
			for _, plural := range kindsOf(s.Spec.Version) {
				r := resource{v.options.Group, s.Spec.Version, plural, plural}
				_, err := v.cluster.look(v.ctx, asNames, r.path("", ""), map[string]string{"limit": "1"})
				object := Object{Kind: "API", Name: r.versioned()}
				switch {
				case err == nil:
				case strings.Contains(message(err), "impersonat"), strings.Contains(message(err), "User \"system:serviceaccount:"+v.options.Namespace+":"+aggregatedName):
					r := v.apply(config.ServerPart)
					r.text += ", if its API server has constrained impersonation, which is on by default from Kubernetes 1.36; else choose another --act-as"
					v.report(object, "the server may not act as you: "+message(err), r)
				case refused(err):
					v.unseen(object, "list", r, err)
				default:
					v.report(object, "cannot be listed: "+message(err), v.inTheLog())
				}
			}
		}
	},
}

var noNamespaceWaits = Check{
	Name:     "no-namespace-waits",
	Reason:   "A namespace that is being deleted waits until all APIs of the cluster can be discovered. What it held is gone, but it does not go.",
	Severity: Problem,
	Remedy:   "Bring the server back, or delete the APIServices: the namespaces go some seconds later.",
	find: func(v *view) {
		all, _ := list[struct {
			metav1.ObjectMeta `json:"metadata"`
			Status            struct {
				Conditions []metav1.Condition `json:"conditions"`
			} `json:"status"`
		}](v, resource{"", "v1", "namespaces", "Namespace"}, "", "")
		for _, namespace := range all {
			for _, c := range namespace.Status.Conditions {
				stale := c.Type == "NamespaceDeletionDiscoveryFailure" && c.Status == metav1.ConditionTrue && strings.Contains(c.Message, v.options.Group+"/")
				if stale && namespace.DeletionTimestamp != nil {
					way := say("bring the server back, or delete the APIServices (%s)", v.deleteAPIServices())
					if v.found(apiServicesAreServed) {
						way = say("delete the APIServices of versions that the server does not serve, as %s says, and bring the server back if it is away", apiServicesAreServed.Name)
					}
					v.report(Object{Kind: "Namespace", Name: namespace.Name}, "waits for this server to be deleted: "+c.Message,
						way.by(v.kubectl("get", "apiservices", "-l", "app.kubernetes.io/name="+aggregatedName)))
				}
			}
		}
	},
}
