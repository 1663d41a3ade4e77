package convert

import (
	"cmp"
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

// What expressions read, as r.x, r.?x, r["x"] and requests[0].x, and the lists that the variables of their macros stand for.
var (
	readsClass   = regexp.MustCompile(`\.\??(resourceClassName|parametersRef)\b`)
	readsRequest = regexp.MustCompile(`(\w+)(?:\s*\[[^\]]*\])?(?:\s*\.\s*\??|\[\??["'])(` + strings.Join(ofRequest, "|") + `)\b`)
	readsExactly = regexp.MustCompile(`\.\s*\??exactly\b`)
	readsDevices = regexp.MustCompile(`\bspec\.\??devices\b`)
	overList     = regexp.MustCompile(`(\w+|\))(?:\.orValue\([^()]*\))?\s*\.\s*(?:all|exists|exists_one|existsOne|filter|map)\(\s*(?:\w+\s*,\s*)?(\w+)\s*,`)
	listOfOthers = regexp.MustCompile(`^(firstAvailable|results|sub.*)$`)
	requests     = regexp.MustCompile(`(?i)(?:^|[^b])req(?:uest)?s?$`) // and no subrequests
	// One that asks whether there is exactly was written for more than one version.
	knowsBoth = regexp.MustCompile(`\bhas\([^()]*\bexactly\b|\?\s*exactly\b|["']exactly["']`)
)

// movedInExpression says which field an expression reads that stands elsewhere in the version; empty when there is none.
func movedInExpression(expression, to string) string {
	class := readsClass.FindStringSubmatch(expression)
	switch {
	case !api.HasDevices(to):
		if readsDevices.MatchString(expression) {
			return "reads spec.devices, which came with v1alpha3"
		}
	case class != nil:
		return "reads " + class[1] + ", which is gone from v1alpha3 on"
	case knowsBoth.MatchString(expression):
	case api.HasExactly(to):
		if field := readOfRequest(expression); field != "" {
			return "reads " + field + " of a request, which stands in exactly since v1beta2"
		}
	case readsExactly.MatchString(expression):
		return "reads exactly, which came with v1beta2"
	}
	return ""
}

// readOfRequest is the first field that an expression reads of a request itself, and not of its exactly as well.
func readOfRequest(expression string) string {
	exactly, over := readsExactly.MatchString(expression), map[string]string{}
	for _, m := range overList.FindAllStringSubmatch(expression, -1) {
		if m[1] == ")" && !exactly && strings.Contains(expression, "requests") {
			m[1] = "requests" // filtered before
		}
		if !requests.MatchString(over[m[2]]) {
			over[m[2]] = m[1]
		}
	}
	all := readsRequest.FindAllStringSubmatch(expression, -1)
	for _, m := range all {
		of, field := cmp.Or(over[m[1]], m[1]), m[2]
		// A name of several words is one of requests wherever it is read; others are those of devices and pods as well.
		ofAny := field != strings.ToLower(field) && !exactly && !listOfOthers.MatchString(of)
		either := func(o []string) bool { return o[1] == "exactly" && o[2] == field }
		if (ofAny || requests.MatchString(of)) && !slices.ContainsFunc(all, either) {
			return field
		}
	}
	return ""
}

// isOther reports whether a version is another one than the wanted.
func (c *converter) isOther(version string) bool {
	_, known := api.Find(version)
	return known && version != c.to
}
