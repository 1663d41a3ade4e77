// Package inject puts the native sidecar of the bridge into the pods of manifests, or takes it out, and leaves everything else as it is.
package inject

import (
	"encoding/json"
	"fmt"
	"iter"
	"path"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
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
	raw = containers(raw, pod, func(c corev1.Container, item []byte) []byte {
		if !o.wants(c) {
			return item
		}
		item = set(item, "env", "name", hostVariable, corev1.EnvVar{Name: hostVariable, Value: "127.0.0.1"})
		item = set(item, "env", "name", portVariable, corev1.EnvVar{Name: portVariable, Value: fmt.Sprint(o.Port)})
		mount := corev1.VolumeMount{Name: name, MountPath: sidecar.AccountFolder, SubPath: sidecar.ClientFolder, ReadOnly: true}
		return set(item, "volumeMounts", "mountPath", sidecar.AccountFolder, mount)
	})
	// First, so that those behind it may use it too.
	inits := kjson.Items(member(drop(raw, "initContainers", name), "initContainers"))
	raw = with(raw, "initContainers", append([][]byte{encode(o.sidecar(pod))}, inits...))
	memory := corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{Medium: corev1.StorageMediumMemory}}
	return set(raw, "volumes", "name", name, corev1.Volume{Name: name, VolumeSource: memory})
}

// without the sidecar.
func without(raw []byte, pod *corev1.PodSpec) []byte {
	raw = containers(raw, pod, func(c corev1.Container, item []byte) []byte {
		if bridged(c) {
			item = drop(drop(item, "env", hostVariable, portVariable), "volumeMounts", name)
		}
		return item
	})
	return drop(drop(drop(raw, "initContainers", name), "containers", name), "volumes", name)
}

// lists of containers that a pod has.
func lists(pod *corev1.PodSpec) iter.Seq2[string, []corev1.Container] {
	return func(yield func(string, []corev1.Container) bool) {
		_ = yield("initContainers", pod.InitContainers) && yield("containers", pod.Containers)
	}
}

// containers of the spec of a pod become others.
func containers(raw []byte, pod *corev1.PodSpec, become func(c corev1.Container, item []byte) []byte) []byte {
	for list, all := range lists(pod) {
		items := kjson.Items(member(raw, list))
		for i, c := range all {
			items[i] = become(c, items[i])
		}
		raw = with(raw, list, items)
	}
	return raw
}

// set an item of a list of an object, in the place of the one of its name.
func set(object []byte, list, key, name string, item any) []byte {
	items := kjson.Items(member(object, list))
	if i := slices.IndexFunc(items, named(key, name)); i >= 0 {
		items[i] = encode(item)
	} else {
		items = append(items, encode(item))
	}
	return with(object, list, items)
}

// drop items of a list of an object.
func drop(object []byte, list string, names ...string) []byte {
	return with(object, list, slices.DeleteFunc(kjson.Items(member(object, list)), named("name", names...)))
}

// named tells items by a key of theirs.
func named(key string, names ...string) func([]byte) bool {
	return func(item []byte) bool { return slices.Contains(names, kjson.StringOf(member(item, key))) }
}

func member(object []byte, name string) []byte {
	members, _, _ := kjson.Members(object) // it was decoded before
	return kjson.Get(members, name)
}

// with gives an object a list, in its place or at the end. An empty one is left out.
func with(object []byte, name string, items [][]byte) []byte {
	members, _, _ := kjson.Members(object)
	switch i := kjson.Find(members, name); {
	case i >= 0 && len(items) == 0:
		members = slices.Delete(members, i, i+1)
	case i >= 0:
		members[i].Value = manifest.AsList(items)
	case len(items) > 0:
		members = append(members, kjson.Member{Name: name, Value: manifest.AsList(items)})
	}
	return manifest.AppendObject(nil, members)
}

func encode(part any) []byte {
	out, _ := json.Marshal(part) // a type of Kubernetes, which can be
	return out
}
