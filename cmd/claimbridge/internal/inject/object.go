package inject

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// templates are the kinds that have a pod, and where.
var templates = map[string]string{
	"v1 Pod": "spec", "v1 ReplicationController": "spec.template.spec", "batch/v1 Job": "spec.template.spec",
	"apps/v1 Deployment": "spec.template.spec", "apps/v1 DaemonSet": "spec.template.spec", "apps/v1 StatefulSet": "spec.template.spec",
	"apps/v1 ReplicaSet": "spec.template.spec", "batch/v1 CronJob": "spec.jobTemplate.spec.template.spec",
}

// words that a file of a folder has in which such an object may be meant.
func words() (all []string) {
	for kind := range templates {
		_, kind, _ = strings.Cut(kind, " ")
		all = append(all, "\nkind: "+kind+"\n")
	}
	return all
}

// object with the sidecar in its pod, which is told; of a list, those of its items.
func (r *Run) object(raw []byte, where manifest.Position) []byte {
	h, err := kjson.ReadHeader(raw)
	if err != nil {
		return raw
	}
	if list := member(raw, "items"); strings.HasSuffix(h.Kind, "List") && len(where.Items) < maxLists {
		all, above := kjson.Items(list), where.Items
		for i := range all {
			where.Items = append(slices.Clip(above), i)
			all[i] = r.object(all[i], where)
		}
		if len(all) == 0 {
			return raw
		}
		return with(raw, "items", all)
	}
	at, known := templates[h.APIVersion()+" "+h.Kind]
	if !known {
		return raw
	}
	h.Name = cmp.Or(h.Name, h.GenerateName)
	return within(raw, strings.Split(at, "."), func(spec []byte) []byte { return r.spec(spec, at, h, where) })
}

// spec of a pod with the sidecar, or without it.
func (r *Run) spec(spec []byte, at string, h kjson.Header, where manifest.Position) []byte {
	r.pods++
	var pod corev1.PodSpec
	// It is read as an API server does, which tells Containers from containers.
	if _, err := kjson.Read(spec, &pod, nil); err != nil {
		field, why := at, err.Error()
		if wrong, ok := errors.AsType[*kjson.DecodeError](err); ok {
			field, why = kjson.JoinPath(at, wrong.Field), wrong.Why
		}
		r.log.Refuse(where, h, []problems.What{problems.At(finding.WrongType, field, why)})
		return spec
	}
	if len(pod.Containers) == 0 {
		return spec // a patch
	}
	changed, meant := spec, r.meant(&pod)
	r.named = r.named || meant
	switch {
	case r.Remove && holds(&pod):
		changed = without(spec, &pod)
	case !r.Remove && meant:
		if refused := r.refusals(at, spec, &pod); len(refused) > 0 {
			r.log.Refuse(where, h, refused)
			return spec
		}
		if pod.HostNetwork {
			r.log.Warn(where, h, problems.At(finding.CannotBeConverted, at+".hostNetwork",
				fmt.Sprintf("port %d of 127.0.0.1 is the node's: it must be free there, and for one such pod alone; --port names another one", r.Port)))
		}
		changed = r.pod(spec, &pod)
	}
	if !bytes.Equal(kjson.Canonical(spec), kjson.Canonical(changed)) {
		r.changed++
	}
	return changed
}

// maxLists in one another are looked into.
const maxLists = 3

// within an object, what is at a path is replaced.
func within(object []byte, path []string, replace func([]byte) []byte) []byte {
	if len(path) == 0 {
		return replace(object)
	}
	members, _, err := kjson.Members(object)
	i := kjson.Find(members, path[0])
	if err != nil || i < 0 {
		return object
	}
	members[i].Value = within(members[i].Value, path[1:], replace)
	return manifest.AppendObject(nil, members)
}
