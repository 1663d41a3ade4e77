package claims

import "strings"

// IsPatchDirective reports whether the path of a field is a directive of a strategic merge patch, such as $patch or
// spec.$retainKeys.
func IsPatchDirective(path string) bool {
	return strings.HasPrefix(path[strings.LastIndex(path, ".")+1:], "$")
}
