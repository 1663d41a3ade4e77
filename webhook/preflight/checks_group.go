package preflight

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/claimbridge/claimbridge/config"
)

// groupChecks are about what the cluster must be like: who serves the group, and is claimbridge there at all.
var groupChecks = []Check{
	serverServesThisGroup,
	groupIsNotBuiltIn,
	groupIsNotAggregated,
	claimbridgeIsInstalled,
}

var serverServesThisGroup = Check{
	Name:     "server-serves-this-group",
	Reason:   "A server that was started for another group refuses to convert and to judge the claims of this one.",
	Severity: Problem,
	Remedy:   "Say with --group which group is meant, or apply the server for this group.",
	find: func(v *view) {
		deployment, _ := v.deployment()
		if deployment == nil {
			return
		}
		groups := groupsOf(deployment)
		if slices.Contains(groups, v.options.Group) || slices.Contains(groups, "*") {
			return
		}
		what := fmt.Sprintf("serves %s, not %s", strings.Join(groups, ", "), v.options.Group)
		if v.servesAnother() {
			flags := []string{"--group=" + groups[0]}
			if v.options.Namespace != config.DefaultNamespace {
				flags = append(flags, "--namespace="+v.options.Namespace)
			}
			v.report(deployments.object(deployment.Namespace, deployment.Name), what, say("ask about the group that it serves").by(v.again(flags...)))
			return
		}
		r := v.apply(config.ServerPart)
		r.text += ", or add --group=" + v.options.Group + " to its flags where it is to serve both"
		v.report(deployments.object(deployment.Namespace, deployment.Name), what, r)
	},
}

// servesAnother group, and this one has no definitions: then the question was about the wrong group, and what else there is
// to say of it follows from that.
func (v *view) servesAnother() bool {
	quiet := v.aside()
	deployment, _ := quiet.deployment()
	if deployment == nil || len(quiet.definitions()) > 0 {
		return false
	}
	groups := groupsOf(deployment)
	return !slices.Contains(groups, v.options.Group) && !slices.Contains(groups, "*")
}

// groupsOf the server, by its flags.
func groupsOf(deployment *appsv1.Deployment) (groups []string) {
	if container := server(deployment); container != nil {
		for _, arg := range slices.Concat(container.Command, container.Args) {
			if value, ok := strings.CutPrefix(arg, "--group="); ok {
				groups = append(groups, strings.Split(value, ",")...)
			}
		}
	}
	if len(groups) == 0 {
		return []string{config.DefaultGroup}
	}
	return groups
}

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

var claimbridgeIsInstalled = Check{
	Name:     "claimbridge-is-installed",
	Reason:   "Before an installation this is expected, and the other checks tell whether the cluster is fit for it.",
	Severity: Problem,
	Remedy:   "Install claimbridge, or say where it is with --group and --namespace.",
	find: func(v *view) {
		if v.aside().groupIsBuiltIn() {
			return // group-is-not-built-in says that it must not be
		}
		if v.absent() {
			v.report(Object{Kind: "API group", Name: v.options.Group},
				fmt.Sprintf("has no definitions of claims, and claimbridge is not in namespace %s", v.options.Namespace),
				v.installAll())
		}
	},
}

// absent means that nothing of claimbridge is there: all of it was seen to be missing.
func (v *view) absent() bool {
	for _, plural := range []string{claims, templates} {
		if crd, seen := v.definition(plural); crd != nil || !seen {
			return false
		}
	}
	deployment, seen := v.deployment()
	return deployment == nil && seen && v.uninstalled()
}
