package transcode

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/bridge/internal/kinds"
)

// Target of a request: what its path names.
type Target struct {
	// Prefix before /apis, as the address of a cluster may have one.
	Prefix  string
	Version string
	// rest of the path, whose parts are what they are called here where one of the routes of the kinds is named.
	kind                         kinds.Kind
	namespace, name, subresource string
	watch                        bool
	parts                        int // from the resource on
}

const group = "/apis/" + api.Group

// Split the path of a request into what stands before the cluster's API, as the address of a
// cluster may have something, and that from /apis on; ok is false where it has none. The API begins
// with the first part that is called apis: what stands behind another API, as that of a service
// does behind /proxy, or behind openapi, is not the cluster's.
func Split(u *url.URL) (prefix, path string, ok bool) {
	all := u.EscapedPath()
	begin := 0
	for _, part := range strings.SplitAfter(all, "/") {
		switch strings.TrimSuffix(part, "/") {
		case "apis":
			begin = max(0, begin-1)
			return all[:begin], all[begin:], true
		case "api", "openapi":
			return "", "", false
		}
		begin += len(part)
	}
	return "", "", false
}

// Parse the path of a request; ok is false for what is not of a version of the group.
func Parse(u *url.URL) (t Target, ok bool) {
	prefix, path, ok := Split(u)
	rest, found := strings.CutPrefix(path, group+"/")
	if !ok || !found {
		return t, false
	}
	t.Prefix = prefix
	t.Version, rest, _ = strings.Cut(rest, "/")
	t.resource(strings.Split(rest, "/"))
	return t, true
}

// resource of a path behind the version; where it is none that is known, the target has no kind.
func (t *Target) resource(parts []string) {
	if len(parts) > 1 && parts[0] == "watch" {
		t.watch, parts = true, parts[1:]
	}
	if len(parts) > 2 && parts[0] == "namespaces" {
		t.namespace, parts = parts[1], parts[2:]
	}
	if last := len(parts) - 1; last > 0 && parts[last] == "" {
		parts = parts[:last]
	}
	for _, part := range parts {
		if part == "" || strings.Contains(part, "%") { // no name has what a path must escape
			return
		}
	}
	var known bool
	if t.kind, known = kinds.Lookup(t.Version, parts[0]); !known || len(parts) > 3 {
		t.kind = kinds.Kind{}
		return
	}
	t.parts = len(parts)
	if len(parts) > 1 {
		t.name = parts[1]
	}
	if len(parts) > 2 {
		t.subresource = parts[2]
	}
}

// IsVersion tells whether a path is the version's own document.
func (t *Target) IsVersion(u *url.URL) bool {
	return strings.TrimSuffix(u.EscapedPath(), "/") == t.Prefix+group+"/"+t.Version
}

// Kind that a request is for; false for none of those that are bridged.
func (t *Target) Kind() (kinds.Kind, bool) { return t.kind, t.kind.Kind != "" }

// Watches tells whether a request is a watch: by its path, as that of old clients, or by its parameter.
func (t *Target) Watches(r *http.Request) bool {
	if r.Method != http.MethodGet || t.parts == 3 {
		return false
	}
	return t.watch || t.parts == 1 && Asks(r.URL, "watch")
}

// Asks tells whether a parameter is true, as API servers read it.
func Asks(u *url.URL, parameter string) bool {
	values, ok := u.Query()[parameter]
	return ok && values[0] != "0" && !strings.EqualFold(values[0], "false")
}

// Lists tells whether a request is for a list.
func (t *Target) Lists(r *http.Request) bool {
	return r.Method == http.MethodGet && t.parts == 1 && !t.Watches(r)
}

// route of a request; nil where no API server has one, or has one that is the same in all versions.
func (t *Target) route(r *http.Request) func(*call) (*http.Response, error) {
	inScope := t.kind.Namespaced == (t.namespace != "")
	everywhere := t.namespace == "" && t.parts == 1 // all namespaces
	switch {
	case t.kind.Kind == "":
	case t.Watches(r):
		if t.subresource == "" && (inScope || everywhere) {
			return (*call).watch
		}
	case t.watch:
	case t.parts == 1 && (inScope || everywhere && r.Method == http.MethodGet):
		return collection[r.Method]
	case t.parts == 2 && inScope:
		return item[r.Method]
	case t.parts == 3 && inScope && t.subresource == "status" && t.kind.Status:
		return status[r.Method]
	}
	return nil
}

// Methods by path.
var (
	collection = map[string]func(*call) (*http.Response, error){
		http.MethodGet: (*call).get, http.MethodPost: (*call).send, http.MethodDelete: (*call).delete,
	}
	item = map[string]func(*call) (*http.Response, error){
		http.MethodGet:    (*call).get,
		http.MethodPut:    (*call).send,
		http.MethodPatch:  (*call).patch,
		http.MethodDelete: (*call).delete,
	}
	status = map[string]func(*call) (*http.Response, error){
		http.MethodGet: (*call).get, http.MethodPut: (*call).send, http.MethodPatch: (*call).patch,
	}
)
