package preflight

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/claimbridge/claimbridge/config"
)

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
