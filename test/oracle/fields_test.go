package oracle

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/validation"
)

// fieldsSince a release of Kubernetes, by their names, or by those of what they are in and of their own.
var fieldsSince = map[string][]string{
	"1.32": {"status.devices", "results.adminAccess"},
	"1.33": {"firstAvailable", "tolerations"},
	"1.34": {
		"capacity", "distinctAttribute", "allocationTimestamp", "bindingConditions", "bindingFailureConditions", "shareID", "consumedCapacity",
	},
	"1.37": {"derivedAttributes", "skipNodeOperations"},
}

// unknownTo a release are the fields that came later, or that were gone.
func unknownTo(release string) map[string]bool {
	unknown := map[string]bool{}
	for since, fields := range fieldsSince {
		for _, f := range fields {
			if since > release {
				unknown[f] = true
			}
		}
	}
	if release > "1.31" {
		for _, gone := range []string{"spec.controller", "allocation.controller", "status.deallocationRequested"} {
			unknown[gone] = true
		}
	}
	return unknown
}

// hasLaterFields of v1alpha3: those that 1.31 did not have. Rules judge them as 1.33 does, and the judge of 1.31 drops them.
func hasLaterFields(object tree) bool { return withoutFields(object, "", unknownTo("1.31"), false) }

func dropLaterFields(object tree) { withoutFields(object, "", unknownTo("1.31"), true) }

// withoutFields reports whether an object has any, and takes them away if that is wanted.
func withoutFields(value any, at string, fields map[string]bool, remove bool) (found bool) {
	switch v := value.(type) {
	case tree:
		for _, key := range slices.Collect(maps.Keys(v)) {
			name := strings.TrimSuffix(key, duplicate)
			if !fields[name] && !fields[at+"."+name] {
				found = withoutFields(v[key], name, fields, remove) || found
				continue
			}
			if found = true; remove {
				delete(v, key)
			}
		}
	case []any:
		for _, item := range v {
			found = withoutFields(item, at, fields, remove) || found
		}
	}
	return found
}

// withoutUnknown is a write without the fields that a release does not have.
func withoutUnknown(t *testing.T, r validation.Request) validation.Request {
	t.Helper()
	for _, object := range []*[]byte{&r.Object, &r.OldObject} {
		if len(*object) > 0 {
			o := parse(t, *object)
			withoutFields(o, "", unknownTo(r.Release), true)
			*object = render(t, o, false)
		}
	}
	return r
}

// dropOurField takes away what no release has.
func dropOurField(object tree) {
	if status, ok := object["status"].(tree); ok {
		maps.DeleteFunc(status, func(name string, _ any) bool { return strings.HasPrefix(strings.ToLower(name), "claimbridge") })
	}
}
