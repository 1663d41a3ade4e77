package inject

import (
	"bytes"
	"errors"
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

// injected is what became of an object, or of one in a list.
type injected struct {
	items  []int
	header kjson.Header
	// meant is set when its pod has a container that is asked for.
	meant, changed bool
	refused, said  []problems.What
}

// object with the sidecar in its pod; of a list, those of its items. Each object that has a pod is told.
func (o Options) object(raw []byte, items []int, tell func(injected)) []byte {
	h, err := kjson.ReadHeader(raw)
	if err != nil {
		return raw
	}
	if list := member(raw, "items"); strings.HasSuffix(h.Kind, "List") && len(items) < maxLists {
		all := kjson.Items(list)
		for i := range all {
			all[i] = o.object(all[i], append(items[:len(items):len(items)], i), tell)
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
	return within(raw, strings.Split(at, "."), func(spec []byte) []byte {
		var pod corev1.PodSpec
		told := injected{items: items, header: h}
		defer func() { tell(told) }()
		// It is read as an API server does, which tells Containers from containers.
		if _, err := kjson.Read(spec, &pod, nil); err != nil {
			field, why := at, err.Error()
			if wrong, ok := errors.AsType[*kjson.DecodeError](err); ok {
				field, why = kjson.JoinPath(at, wrong.Field), wrong.Why
			}
			told.refused = []problems.What{problems.At(finding.WrongType, field, why)}
			return spec
		}
		if len(pod.Containers) == 0 {
			return spec // a patch
		}
		changed := spec
		told.meant = o.meant(&pod)
		switch {
		case o.Remove && holds(&pod):
			changed = without(spec, &pod)
		case !o.Remove && told.meant:
			if told.refused = o.refusals(at, spec, &pod); len(told.refused) > 0 {
				return spec
			}
			told.said = o.warnings(at, &pod)
			changed = o.pod(spec, &pod)
		}
		told.changed = !bytes.Equal(kjson.Canonical(spec), kjson.Canonical(changed))
		return changed
	})
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
