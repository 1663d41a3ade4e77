package migrate

import "github.com/claimbridge/claimbridge/api"

// firstExactly is the first version with exactly in requests, and lastFlat is the version before it.
var firstExactly, lastFlat = api.ExactlySince()

// isInExactly reports whether a field of a request is in exactly, in versions that have exactly.
func isInExactly(name string) bool {
	field, _ := api.FindRequestField(name)
	return field.InExactly
}

// movedPath says of a path in a claim, a template or a pod that it is of another version, by its
// names and indices; empty when it is not.
func movedPath(names []string, to string) (why string) {
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

// movedInSpec says why a version has no field of the name in a spec, with the names below it.
func movedInSpec(name string, below []string, to string) (why string) {
	isClassic := name == "resourceClassName" || name == "parametersRef"
	switch {
	case api.HasDevices(to) && isClassic:
		return "is gone from v1alpha3 on, where claims ask for devices"
	case !api.HasDevices(to) && name == "devices" && len(below) > 0:
		return "came with v1alpha3; " + to + " has resourceClassName"
	}
	return ""
}

// movedInRequest says why a version has no field of the name in a request.
func movedInRequest(name, to string) (why string) {
	switch {
	case api.HasExactly(to) && isInExactly(name):
		return "is in exactly since " + firstExactly
	case !api.HasExactly(to) && name == "exactly":
		return "came with " + firstExactly + "; up to " + lastFlat + " its fields stand in the request itself"
	}
	return ""
}

// movedInPod says why a pod of the release that has a version has no field of the name in a claim.
func movedInPod(name, to string) (why string) {
	switch {
	case api.HasDevices(to) && name == podSource:
		return "was removed in Kubernetes 1.31: its fields are next to the name"
	case !api.HasDevices(to) && isPodClaimName(name):
		return "stands below source up to Kubernetes 1.30"
	}
	return ""
}

// isOther reports whether a version is known and not the target.
func (c *Converter) isOther(version string) bool {
	_, isKnown := api.Find(version)
	return isKnown && version != c.to
}
