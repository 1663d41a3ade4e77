package transcode

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/claimbridge/claimbridge/bridge/internal/kinds"
	"github.com/claimbridge/claimbridge/bridge/unstructured"
)

// GroupPath is the path of the group's own document.
const GroupPath = "/apis/" + unstructured.Group

// Target is what the path of a request names.
type Target struct {
	// Prefix is the part of the path before /apis. The address of a cluster may have one.
	Prefix  string
	Version string
	// Kind is empty if the path is none of a collection, an object, or its status, of a kind that the bridge translates.
	Kind kinds.Kind
	// Namespace is empty for all namespaces, and Name for a collection.
	Namespace, Name, Subresource string

	// isWatchPath is true for the paths of watches that API servers have for old clients.
	isWatchPath bool
}

// Split splits the path of a request into the part before the API of the cluster and the part from /apis on. The API
// begins with the first segment that is apis. A path behind another API, such as the proxy of a service, or behind
// openapi, is not one of the cluster's API.
func Split(u *url.URL) (prefix, path string, ok bool) {
	escaped := u.EscapedPath()
	begin := 0
	for _, segment := range strings.SplitAfter(escaped, "/") {
		switch strings.TrimSuffix(segment, "/") {
		case "apis":
			begin = max(0, begin-1)
			return escaped[:begin], escaped[begin:], true
		case "api", "openapi":
			return "", "", false
		}
		begin += len(segment)
	}
	return "", "", false
}

// Parse parses the path of a request. It returns false if the path is not one of a version of the group.
func Parse(u *url.URL) (t Target, ok bool) {
	prefix, path, ok := Split(u)
	rest, isInGroup := strings.CutPrefix(path, GroupPath+"/")
	if !ok || !isInGroup {
		return t, false
	}
	version, resource, _ := strings.Cut(rest, "/")
	t = parseResource(strings.Split(resource, "/"))
	t.Prefix = prefix
	t.Version = version
	return t, true
}

// parseResource parses the segments after the version. The target has no kind if they are none of a known kind.
func parseResource(segments []string) (t Target) {
	isNamespaced := len(segments) > 2 && segments[0] == "namespaces"
	if isNamespaced {
		t.Namespace = segments[1]
		segments = segments[2:]
	}
	if last := len(segments) - 1; last > 0 && segments[last] == "" {
		segments = segments[:last]
	}
	t.isWatchPath = segments[0] == "watch"
	if isNamespaced && !isName(t.Namespace) || !areNames(segments) {
		return t
	}
	kind, isKnown := kinds.Find(segments[0])
	if len(segments) > 1 {
		t.Name = segments[1]
	}
	if len(segments) > 2 {
		t.Subresource = segments[2]
	}
	isCollection := len(segments) == 1
	inScope := kind.Namespaced == isNamespaced || isCollection && !isNamespaced
	isStatus := len(segments) == 3 && kind.HasStatus && t.Subresource == "status"
	if isKnown && inScope && (len(segments) < 3 || isStatus) {
		t.Kind = kind
	}
	return t
}

func isName(segment string) bool {
	return segment != "" && !strings.Contains(segment, "%") // no name has a character that must be escaped
}

func areNames(segments []string) bool {
	for _, segment := range segments {
		if !isName(segment) {
			return false
		}
	}
	return true
}

// IsVersion reports whether a path is that of the version's own document.
func (t Target) IsVersion(u *url.URL) bool {
	return strings.TrimSuffix(u.EscapedPath(), "/") == t.Prefix+GroupPath+"/"+t.Version
}

// IsResource reports whether the target is of a kind that the bridge translates.
func (t Target) IsResource() bool { return t.Kind.Kind != "" }

// IsCollection reports whether the target is a collection of such a kind.
func (t Target) IsCollection() bool { return t.IsResource() && t.Name == "" }

// IsWatch reports whether a request for the target is a watch. API servers ignore the parameter for a single object.
func (t Target) IsWatch(r *http.Request) bool {
	return r.Method == http.MethodGet && t.IsCollection() && IsTrue(r.URL, "watch")
}

// IsTrue reports whether a parameter is true, as API servers read it.
func IsTrue(u *url.URL, parameter string) bool {
	values, ok := u.Query()[parameter]
	return ok && values[0] != "0" && !strings.EqualFold(values[0], "false")
}

// isTranslated reports whether the bridge translates a method of the target. All others have the same meaning in all
// versions, or no API server has them.
func (t Target) isTranslated(method string) bool {
	isAllNamespaces := t.Kind.Namespaced && t.Namespace == ""
	switch {
	case !t.IsResource():
		return false
	case method == http.MethodGet:
		return true
	case method == http.MethodPost:
		return t.IsCollection() && !isAllNamespaces
	case method == http.MethodDelete:
		return t.Subresource == "" && !isAllNamespaces
	case method == http.MethodPut, method == http.MethodPatch:
		return !t.IsCollection()
	}
	return false
}
