package convert

import (
	"regexp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// ofRequest are fields that stand in the request itself up to v1beta1, and in its exactly since.
var ofRequest = v1.FieldsOfExactly()

// movedPath says of a path in a claim, a template or a pod that it is of another version, by its names and indices; empty when it
// is not.
func movedPath(names []string, to string) (why string) {
	for i, name := range names {
		rest := names[i+1:]
		switch {
		case api.HasDevices(to) && i > 0 && names[i-1] == "spec" && (name == "resourceClassName" || name == "parametersRef"):
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

// isExpression tells members that hold CEL, in webhooks, policies and wherever else.
func isExpression(member string) bool {
	return member == "expression" || member == "messageExpression" || member == "valueExpression"
}

// What expressions read, by names that no other kind has. One that knows exactly, or the alternatives of a request, was written for
// more than one version.
var (
	readsClass   = regexp.MustCompile(`\.(resourceClassName|parametersRef)\b`)
	readsRequest = regexp.MustCompile(`\.(deviceClassName|adminAccess|allocationMode)\b`)
	readsExactly = regexp.MustCompile(`\.(exactly)\b`)
	readsDevices = regexp.MustCompile(`\bspec\.(devices)\b`)
)

// movedInExpression says which field an expression reads that stands elsewhere in the version; empty when there is none.
func movedInExpression(expression, to string) string {
	first := func(reads *regexp.Regexp) string {
		if m := reads.FindStringSubmatch(expression); m != nil {
			return m[1]
		}
		return ""
	}
	switch {
	case !api.HasDevices(to):
		if first(readsDevices) != "" {
			return "reads spec.devices, which came with v1alpha3"
		}
		return ""
	case first(readsClass) != "":
		return "reads " + first(readsClass) + ", which is gone from v1alpha3 on"
	case api.HasExactly(to) && first(readsRequest) != "" && first(readsExactly) == "" && !strings.Contains(expression, "firstAvailable"):
		return "reads " + first(readsRequest) + " of a request, which stands in exactly since v1beta2"
	case !api.HasExactly(to) && first(readsExactly) != "" && first(readsRequest) == "":
		return "reads exactly, which came with v1beta2"
	}
	return ""
}
