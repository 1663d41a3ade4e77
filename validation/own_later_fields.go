package validation

import (
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion"
)

// noFieldOfLaterReleases is asked before the rules of 1.31, which dropped such fields without a look at them: a request
// with firstAvailable has no class, and to say that it lacks one would be misleading. What an object has already, from
// before there was a webhook, may stay: else nobody could take away its finalizers.
var noFieldOfLaterReleases = Rule{
	Name:   "no-field-of-later-releases",
	Reason: "v1alpha3 is that of Kubernetes 1.31 here: what 1.32 and 1.33 added to it would get lost, so it is refused.",
	Source: "claimbridge",
	asked:  onAny,
	check: func(w *write, refuse refuse) {
		before := make(map[string][]byte, len(w.old.later))
		for _, later := range w.old.later {
			before[later.path.String()] = later.value
		}
		for _, later := range w.new.later {
			at := later.path.String()
			if strings.HasPrefix(at, "status.") != (w.op == UpdateStatus) {
				continue // the API server takes that part from the old object
			}
			if value, had := before[at]; had && conversion.Equal(value, later.value) {
				continue
			}
			refuse(field.Forbidden(later.path, fmt.Sprintf("was added to v1alpha3 in Kubernetes %s, and is lost here, "+
				"where v1alpha3 is that of 1.31: leave it out", later.release)))
		}
	},
}

// laterField is one that an object has although its version did not have it yet.
type laterField struct {
	path    *field.Path
	release string
	value   json.RawMessage
}

// laterFields of an object. One that says nothing is not among them: typed clients of 1.32 write
// adminAccess: null.
func laterFields(object []byte, version api.Version, kind string) []laterField {
	var found []laterField
	for _, f := range version.LaterFields {
		path := f.Path
		if kind == templateKind {
			path = "spec." + path // there is no spec.status
		}
		walk(object, strings.Split(path, "."), nil, func(at *field.Path, value json.RawMessage) {
			if !saysNothing(value) {
				found = append(found, laterField{at, f.Release, value})
			}
		})
	}
	return found
}

// walk to the members that are at a path. What is not of the shape that the path expects has none; the object has been
// decoded before.
func walk(value json.RawMessage, path []string, at *field.Path, found func(*field.Path, json.RawMessage)) {
	if len(path) == 0 {
		found(at, value)
		return
	}
	name, list := strings.CutSuffix(path[0], "[]")
	var object members
	if _, err := conversion.Decode(value, &object); err != nil || object[name] == nil {
		return
	}
	if !list {
		walk(object[name], path[1:], at.Child(name), found)
		return
	}
	var items []json.RawMessage
	if _, err := conversion.Decode(object[name], &items); err != nil {
		return
	}
	for i, item := range items {
		walk(item, path[1:], at.Child(name).Index(i), found)
	}
}

// saysNothing tells whether a value is like none: null, false, an empty list.
func saysNothing(value json.RawMessage) bool {
	return conversion.Equal(members{"value": value}.object(), []byte("{}"))
}
