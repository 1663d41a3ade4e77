package transcode

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/claimbridge/claimbridge/bridge/internal/kinds"
	"github.com/claimbridge/claimbridge/bridge/jsonconvert"
)

// GroupPath is the path of the document of the group.
const GroupPath = "/apis/" + jsonconvert.Group

// Target is the resource that a request path identifies.
type Target struct {
	// Prefix is the part of the path before /apis. The address of a cluster may have one.
	Prefix  string
	Version string
	// Resource is empty if the bridge does not translate the path: it must be a collection, an object or a status.
	Resource kinds.Resource
	// Namespace is empty for all namespaces, and Name for a collection.
	Namespace, Name, Subresource string

	// IsVersionDocument is true for the path of the version itself, whose document lists the resources.
	IsVersionDocument bool
	// unsupported says why requests for the path are rejected, or is empty.
	unsupported string
}

// SplitPath splits the path of a request into a prefix and the part that begins with /apis. The prefix ends before the
// first segment apis. It returns false if an earlier segment is api or openapi: the rest is then not a path of the
// cluster's own API, but for example that of a service behind the API server's proxy. So requests are forwarded
// unchanged if the address of the cluster has such a segment in its path.
func SplitPath(u *url.URL) (prefix, path string, ok bool) {
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

// ParseTarget parses the path of a request. It returns false if the path is not below a version of the group.
func ParseTarget(u *url.URL) (t Target, ok bool) {
	prefix, path, ok := SplitPath(u)
	rest, isInGroup := strings.CutPrefix(path, GroupPath+"/")
	if !ok || !isInGroup {
		return t, false
	}
	version, resource, _ := strings.Cut(rest, "/")
	if resource == "" {
		t.IsVersionDocument = true
	} else {
		t = parseResource(strings.Split(resource, "/"))
	}
	t.Prefix = prefix
	t.Version = version
	return t, true
}

// parseResource parses the segments after the version.
func parseResource(segments []string) (t Target) {
	isNamespaced := len(segments) > 2 && segments[0] == "namespaces"
	if isNamespaced {
		t.Namespace = segments[1]
		segments = segments[2:]
	}
	if last := len(segments) - 1; last > 0 && segments[last] == "" {
		segments = segments[:last]
	}
	if isNamespaced && !isName(t.Namespace) || !areNames(segments) {
		// An API server may accept the path. If it was forwarded, objects would be sent without being translated.
		t.unsupported = "a path with an empty segment or with percent-encoding: no name has characters to encode"
		return t
	}
	if segments[0] == "watch" {
		t.unsupported = "a path with /watch/: use the parameter watch=true"
		return t
	}
	resource, isKnown := kinds.Find(segments[0])
	if len(segments) > 1 {
		t.Name = segments[1]
	}
	if len(segments) > 2 {
		t.Subresource = segments[2]
	}
	isCollection := len(segments) == 1
	isInScope := resource.Namespaced == isNamespaced || isCollection && !isNamespaced
	isStatus := len(segments) == 3 && resource.HasStatus && t.Subresource == "status"
	if isKnown && isInScope && (len(segments) < 3 || isStatus) {
		t.Resource = resource
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

// IsResource reports whether the bridge translates the resource.
func (t Target) IsResource() bool { return t.Resource.Kind != "" }

// IsCollection reports whether the target is a collection of such a resource.
func (t Target) IsCollection() bool { return t.IsResource() && t.Name == "" }

// IsWatch reports whether a request for the target is a watch. API servers ignore the parameter for a single object.
func (t Target) IsWatch(r *http.Request) bool {
	return r.Method == http.MethodGet && t.IsCollection() && IsTrue(r.URL, "watch")
}

// IsTrue reports whether a query parameter is true, by the rules of API servers.
func IsTrue(u *url.URL, parameter string) bool {
	values, ok := u.Query()[parameter]
	return ok && values[0] != "0" && !strings.EqualFold(values[0], "false")
}

// isTranslated reports whether the bridge translates requests for the target with a method. It forwards other requests
// with the served version in the path. The API server usually responds to them with 404 or 405.
func (t Target) isTranslated(method string) bool {
	isAllNamespaces := t.Resource.Namespaced && t.Namespace == ""
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
