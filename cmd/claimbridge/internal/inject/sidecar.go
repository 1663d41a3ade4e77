package inject

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// sidecar of a pod. It takes 20 MB when nothing is asked of it and 59 MB with 1,000 watches: one and a half times the first is asked for,
// and four times the second is its limit, below which the collector keeps. No limit of CPU: it would make every call wait.
func (o Options) sidecar(pod *corev1.PodSpec) corev1.Container {
	place := []string{"--in-cluster=" + folder, fmt.Sprintf("--port=%d", o.Port)}
	c := corev1.Container{
		Name: name, Image: o.Image, Command: []string{program}, Args: place, RestartPolicy: new(corev1.ContainerRestartPolicyAlways),
		Env: []corev1.EnvVar{{Name: "GOMEMLIMIT", ValueFrom: &corev1.EnvVarSource{ResourceFieldRef: &corev1.ResourceFieldSelector{
			ContainerName: name, Resource: "limits.memory", Divisor: resource.MustParse("0"),
		}}}},
		Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("10m"), corev1.ResourceMemory: resource.MustParse("32Mi")},
			Limits:   corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("256Mi")},
		},
		StartupProbe: &corev1.Probe{
			ProbeHandler:  corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: append([]string{program, "--ready"}, place...)}},
			PeriodSeconds: 1, FailureThreshold: 60,
		},
		VolumeMounts: []corev1.VolumeMount{{Name: name, MountPath: folder}},
		SecurityContext: &corev1.SecurityContext{ // what the profile restricted asks for, whatever the pod has
			RunAsNonRoot: new(true), AllowPrivilegeEscalation: new(false), ReadOnlyRootFilesystem: new(true),
			Capabilities:   &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
			SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
		},
	}
	if s := pod.SecurityContext; s != nil && s.RunAsUser != nil && *s.RunAsUser == 0 { // else it is the image's, or that of the pod
		c.SecurityContext.RunAsUser = new(int64(user))
	}
	if i := slices.IndexFunc(pod.InitContainers, isOurs); i >= 0 { // its owner knows better
		c.Resources = pod.InitContainers[i].Resources
	}
	return c
}

func isOurs(c corev1.Container) bool {
	return c.Name == name && slices.Contains(c.Args, "--in-cluster="+folder)
}
