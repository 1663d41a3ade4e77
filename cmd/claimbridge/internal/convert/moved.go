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
		rest := names[i+1:]
		switch {
		case api.HasDevices(to) && i > 0 && names[i-1] == "spec" && (name == "resourceClassName" ||
			name == "parametersRef"):
			return "is gone from v1alpha3 on, where claims ask for devices"
		case !api.HasDevices(to) && i > 0 && names[i-1] == "spec" && name == "devices" && len(rest) > 0:
			return "came with v1alpha3; " + to + " has resourceClassName"
		case name == "requests" && i > 0 && names[i-1] == "devices" && len(rest) > 1:
			if api.HasExactly(to) && slices.Contains(ofRequest, rest[1]) {
				return "stands in exactly since v1beta2"
			}
			if !api.HasExactly(to) && rest[1] == "exactly" {
				return "came with v1beta2; up to v1beta1 its fields stand in the request itself"
			}
		case name == podClaims && len(rest) > 1:
			if api.HasDevices(to) && rest[1] == podSource {
				return "is gone since Kubernetes 1.31: the names stand beside the name"
			}
			if !api.HasDevices(to) && isPodClaimName(rest[1]) {
				return "stands below source up to Kubernetes 1.30"
			}
		}
	}
	return ""
}

// isOther reports whether a version is another one than the wanted.
func (c *converter) isOther(version string) bool {
	_, known := api.Find(version)
	return known && version != c.to
}
