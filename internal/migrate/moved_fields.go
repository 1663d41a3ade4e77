package migrate

import "github.com/claimbridge/claimbridge/api"

// firstWithExactly is the first version with `exactly` in requests, and lastWithoutExactly is the version before it.
var firstWithExactly, lastWithoutExactly = api.ExactlySince()

// isInExactly reports whether a field of a request is in `exactly`, in versions that have it.
func isInExactly(name string) bool {
	field, _ := api.FindRequestField(name)
	return field.InExactly
}

// movedReason returns why a path in a claim, a template or a pod, by its names and indices, belongs to another version.
// It returns "" if the version has the path.
func movedReason(names []string, to string) (why string) {
	for i, name := range names {
		parent, rest := "", names[i+1:]
		if i > 0 {
			parent = names[i-1]
		}
		switch {
		case parent == "spec":
			why = movedInSpec(name, rest, to)
		case parent == "devices" && name == "requests" && len(rest) > 1:
			why = movedInRequest(rest[1], to)
		}
		if why == "" && name == podClaims && len(rest) > 1 {
			why = movedInPod(rest[1], to)
		}
		if why != "" {
			return why
		}
	}
	return ""
}

// movedInSpec returns why a version has no field of the name in a spec, or "". The names in inner follow the field
// in the path.
func movedInSpec(name string, inner []string, to string) (why string) {
	isClassic := name == "resourceClassName" || name == "parametersRef"
	switch {
	case api.HasDevices(to) && isClassic:
		return "was removed in v1alpha3, where claims request devices"
	case !api.HasDevices(to) && name == "devices" && len(inner) > 0:
		return "was added in v1alpha3; " + to + " has resourceClassName"
	}
	return ""
}

// movedInRequest returns why a version has no field of the name in a request, or "".
func movedInRequest(name, to string) (why string) {
	switch {
	case api.HasExactly(to) && isInExactly(name):
		return "is in `exactly` since " + firstWithExactly
	case !api.HasExactly(to) && name == "exactly":
		return "was added in " + firstWithExactly + "; up to " + lastWithoutExactly + " its fields are in the request itself"
	}
	return ""
}

// movedInPod returns why a claim of a pod has no field of the name in the Kubernetes releases of a version, or "".
func movedInPod(name, to string) (why string) {
	switch {
	case api.HasDevices(to) && name == podSource:
		return "was removed in Kubernetes 1.31: its fields are next to the name"
	case !api.HasDevices(to) && isPodClaimName(name):
		return "is below source up to Kubernetes 1.30"
	}
	return ""
}

// isOtherKnownVersion reports whether a version is known and not the target.
func (c *Converter) isOtherKnownVersion(version string) bool {
	_, isKnown := api.Find(version)
	return isKnown && version != c.version
}
