// Package inject puts the native sidecar of the bridge into the pods of manifests, or takes it out, and leaves everything else as it is.
package inject

import (
	"fmt"
	"path"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/claimbridge/claimbridge/cmd/internal/sidecar"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Options of an injection.
type Options struct {
	Image string
	Port  uint16
	// Container that is to use the sidecar; empty for all of a pod.
	Container string
	// Remove takes out what was put in.
	Remove bool
}

const (
	name         = "claimbridge" // of the sidecar and of its volume
	folder       = "/run/claimbridge"
	program      = "/claimbridge-proxy" // in the image
	hostVariable = "KUBERNETES_SERVICE_HOST"
	portVariable = "KUBERNETES_SERVICE_PORT"
	// user of the image.
	user = 65532
)

// bridged reports whether a container uses the sidecar.
func bridged(c corev1.Container) bool {
	return slices.ContainsFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return m.Name == name && isAccount(m) })
}

func isAccount(m corev1.VolumeMount) bool { return path.Clean(m.MountPath) == sidecar.AccountFolder }

// wants reports whether a container is to use the sidecar. One that does goes on doing so.
func (o Options) wants(c corev1.Container) bool {
	return !isOurs(c) && (o.Container == "" || c.Name == o.Container || bridged(c))
}

// pod is the spec of one with the sidecar, in the order of its author.
func (o Options) pod(raw []byte, pod *corev1.PodSpec) []byte {
	for _, list := range []struct {
		name       string
		containers []corev1.Container
	}{{"initContainers", pod.InitContainers}, {"containers", pod.Containers}} {
		items := kjson.Items(member(raw, list.name))
		for i, c := range list.containers {
			if o.wants(c) {
				items[i] = o.container(items[i])
			}
		}
		raw = with(raw, list.name, items)
	}
	// First, so that those behind it may use it too.
	inits := slices.DeleteFunc(kjson.Items(member(raw, "initContainers")), named("name", name))
	raw = with(raw, "initContainers", append([][]byte{encode(o.sidecar(pod))}, inits...))
	volume := corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{Medium: corev1.StorageMediumMemory}}}
	return with(raw, "volumes", put(kjson.Items(member(raw, "volumes")), "name", name, volume))
}

// container with what an in-cluster configuration reads.
func (o Options) container(raw []byte) []byte {
	env := kjson.Items(member(raw, "env"))
	env = put(env, "name", hostVariable, corev1.EnvVar{Name: hostVariable, Value: "127.0.0.1"})
	env = put(env, "name", portVariable, corev1.EnvVar{Name: portVariable, Value: fmt.Sprint(o.Port)})
	mount := corev1.VolumeMount{Name: name, MountPath: sidecar.AccountFolder, SubPath: sidecar.ClientFolder, ReadOnly: true}
	return with(with(raw, "env", env), "volumeMounts", put(kjson.Items(member(raw, "volumeMounts")), "mountPath", sidecar.AccountFolder, mount))
}

// without the sidecar.
func without(raw []byte, pod *corev1.PodSpec) []byte {
	for list, containers := range map[string][]corev1.Container{"initContainers": pod.InitContainers, "containers": pod.Containers} {
		items := kjson.Items(member(raw, list))
		for i, c := range containers {
			if bridged(c) {
				env := slices.DeleteFunc(kjson.Items(member(items[i], "env")), named("name", hostVariable, portVariable))
				mounts := slices.DeleteFunc(kjson.Items(member(items[i], "volumeMounts")), named("name", name))
				items[i] = with(with(items[i], "env", env), "volumeMounts", mounts)
			}
		}
		raw = with(raw, list, slices.DeleteFunc(items, named("name", name)))
	}
	return with(raw, "volumes", slices.DeleteFunc(kjson.Items(member(raw, "volumes")), named("name", name)))
}
