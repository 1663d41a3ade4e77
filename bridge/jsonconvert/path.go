package jsonconvert

import (
	"regexp"
	"strings"
)

// HasSameFields reports whether a member of an object, such as spec, has the same fields in two versions. A patch of it
// then has the same meaning in both.
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
	object, wrapper, wrapperIsInV1 := requestPath, exactly, true
	if kind == kindSlice {
		object, wrapper, wrapperIsInV1 = devicePath, basic, false
	}
	end := object.FindStringIndex(path)
	if end == nil {
		return path
	}
	parent, field := path[:end[1]], path[end[1]:]
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
