package convert

import (
	"slices"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// ofRequest are fields that stand in the request itself up to v1beta1, and in its exactly since.
var ofRequest = v1.FieldsOfExactly()

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
	case api.HasExactly(to) && slices.Contains(ofRequest, name):
		return "stands in exactly since v1beta2"
	case !api.HasExactly(to) && name == "exactly":
		return "came with v1beta2; up to v1beta1 its fields stand in the request itself"
	}
	return ""
}

// movedInPod says why a pod of the release that has a version has no field of the name in a claim.
func movedInPod(name, to string) (why string) {
	switch {
	case api.HasDevices(to) && name == podSource:
		return "is gone since Kubernetes 1.31: the names stand beside the name"
	case !api.HasDevices(to) && isPodClaimName(name):
		return "stands below source up to Kubernetes 1.30"
	}
	return ""
}

// isOther reports whether a version is another one than the wanted.
func (c *converter) isOther(version string) bool {
	_, known := api.Find(version)
	return known && version != c.to
}
