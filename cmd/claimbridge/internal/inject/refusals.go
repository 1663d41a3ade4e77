package inject

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// meant reports whether a pod has the container that is asked for.
func (o Options) meant(pod *corev1.PodSpec) bool {
	return slices.ContainsFunc(slices.Concat(pod.InitContainers, pod.Containers), o.wants)
}

// holds reports whether a pod has the sidecar.
func holds(pod *corev1.PodSpec) bool { return slices.ContainsFunc(pod.InitContainers, isOurs) }

const taken = "is called " + name + " and is none of ours: rename it"

// refusals are the reasons for which a pod cannot have the sidecar.
func (o Options) refusals(at string, spec []byte, pod *corev1.PodSpec) (all []problems.What) {
	refuse := func(text, format string, args ...any) {
		all = append(all, problems.At(finding.CannotBeConverted, at+fmt.Sprintf(format, args...), text))
	}
	if pod.AutomountServiceAccountToken != nil && !*pod.AutomountServiceAccountToken {
		refuse("is false, and without a token there is nobody to ask as: set it to true, or leave it out", ".automountServiceAccountToken")
	}
	if pod.OS != nil && pod.OS.Name == corev1.Windows {
		refuse("the sidecar runs on Linux", ".os.name")
	}
	for i, v := range pod.Volumes {
		if v.Name == name && (v.EmptyDir == nil || !holds(pod)) {
			refuse(taken, ".volumes[%d].name", i)
		}
	}
	for list, containers := range lists(pod) {
		items := kjson.Items(member(spec, list))
		for i, c := range containers {
			if kjson.IsNull(items[i]) {
				all = append(all, problems.At(finding.WrongType, fmt.Sprintf("%s.%s[%d]", at, list, i), "is null, and must be a container"))
			} else if !isOurs(c) {
				o.refuse(c, func(text, format string, args ...any) {
					refuse(text, ".%s[%d].%s", list, i, fmt.Sprintf(format, args...))
				})
			}
		}
	}
	return all
}

// refuse a container that cannot use the sidecar.
func (o Options) refuse(c corev1.Container, refuse func(text, format string, args ...any)) {
	if c.Name == name {
		refuse(taken, "name")
	}
	for j, p := range c.Ports {
		if p.ContainerPort == int32(o.Port) {
			refuse(fmt.Sprintf("%d is the sidecar's: give that another one with --port", o.Port), "ports[%d].containerPort", j)
		}
	}
	if !o.wants(c) || bridged(c) {
		return
	}
	const others = "; remove it, or name another container with --container"
	for j, v := range c.Env {
		if v.Name == hostVariable || v.Name == portVariable {
			refuse(v.Name+" is set, so that the container has an API server of its own"+others, "env[%d]", j)
		}
	}
	for j, m := range c.VolumeMounts {
		if isAccount(m) {
			refuse("is where the sidecar's token is to be"+others, "volumeMounts[%d].mountPath", j)
		}
	}
}
