package jsonconvert

import (
	"regexp"
	"strings"
)

// HasSameFields reports whether a member of an object, such as spec, has the same fields in two versions. A patch of it
// then has the same meaning in both. It is false for apiVersion, kind and unknown members.
func HasSameFields(kind, member, version, otherVersion string) bool {
	switch member {
	case "metadata":
		return true
	case "status":
		return kind == kindClaim
	case "spec":
		return kind == kindClass || (version == v1beta1) == (otherVersion == v1beta1)
	}
	return false
}

var (
	requestPath = regexp.MustCompile(`^spec\.(spec\.)?devices\.requests\[\d+\]`)
	devicePath  = regexp.MustCompile(`^spec\.devices\[\d+\]`)
)

// ConvertPath returns the path of a field in another version, such as spec.devices.requests[0].count for
// spec.devices.requests[0].exactly.count. Other texts are unchanged.
func ConvertPath(path, kind, from, to string) string {
	if HasSameFields(kind, "spec", from, to) {
		return path
	}
	pattern := requestPath
	wrapper := exactly
	wrapperIsInV1 := true
	if kind == kindSlice {
		pattern = devicePath
		wrapper = basic
		wrapperIsInV1 = false
	}
	match := pattern.FindStringIndex(path)
	if match == nil {
		return path
	}
	parent, field := path[:match[1]], path[match[1]:]
	if wrapperIsInV1 == (from != v1beta1) { // from has the wrapper
		return parent + strings.TrimPrefix(field, "."+wrapper)
	}
	name, isField := strings.CutPrefix(field, ".")
	if i := strings.IndexAny(name, ".["); i >= 0 {
		name = name[:i]
	}
	// Since 1.33, API servers report v1 paths for every version, so the path may already have the wrapper.
	hasWrapper := name == wrapper
	isOutside := name == "name" || kind != kindSlice && isOutsideExactly(name)
	if !isField || hasWrapper || isOutside {
		return path
	}
	return parent + "." + wrapper + field
}
