package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/bridge/internal/kinds"
	"github.com/claimbridge/claimbridge/bridge/internal/transcode"
	"github.com/claimbridge/claimbridge/bridge/unstructured"
)

// discover adds the translated versions to the list of groups and to the document of the group. It forwards all other
// requests.
func (t *transport) discover(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodGet {
		return t.next.RoundTrip(r)
	}
	switch _, path, _ := transcode.Split(r.URL); strings.TrimSuffix(path, "/") {
	case "/apis":
		return t.discoverGroups(r)
	case transcode.GroupPath:
		return t.discoverGroup(r)
	}
	return t.next.RoundTrip(r)
}

// discoverGroups returns the list of groups, or the aggregated discovery document, which also has their resources.
func (t *transport) discoverGroups(r *http.Request) (*http.Response, error) {
	served, err := t.servedVersions(r)
	added := t.addedVersions(served)
	if err != nil || len(added) == 0 {
		return t.next.RoundTrip(r)
	}
	return t.editDocument(r, func(document map[string]any) {
		if document["kind"] == "APIGroupDiscoveryList" {
			addAggregatedVersions(document, added)
			return
		}
		groups, _ := document["groups"].([]any)
		i := slices.IndexFunc(groups, func(g any) bool { return memberOf(g, "name") == unstructured.Group })
		if i < 0 {
			i = len(groups)
			groups = append(groups, newGroup())
		}
		addVersions(groups[i], added)
		document["groups"] = groups
	})
}

// discoverGroup returns the document of the group.
func (t *transport) discoverGroup(r *http.Request) (*http.Response, error) {
	served, err := t.readVersions(r)
	added := t.addedVersions(served)
	switch {
	case err != nil || len(added) == 0:
		return t.next.RoundTrip(r)
	case len(served.names) == 0:
		group := newGroup()
		addVersions(group, added)
		group["kind"] = "APIGroup"
		group["apiVersion"] = "v1"
		return jsonResponse(r, http.StatusOK, group), nil
	}
	return t.editDocument(r, func(document map[string]any) { addVersions(document, added) })
}

// discoverResources returns the resources of a version. The cluster returns those of a served version first, because
// the client may not have permission to read them.
func (t *transport) discoverResources(
	r *http.Request, target transcode.Target, servedVersion string,
) (*http.Response, error) {
	read := r.Clone(r.Context())
	read.URL.Path = pathPrefix(r) + transcode.GroupPath + "/" + servedVersion
	read.URL.RawPath = ""
	return t.editDocument(read, func(document map[string]any) {
		if document["groupVersion"] == nil {
			return
		}
		document["groupVersion"] = unstructured.Group + "/" + target.Version
		document["resources"] = resourceList(target.Version).APIResources
	})
}

// addedVersions returns the versions that the cluster does not serve and the bridge translates.
func (t *transport) addedVersions(served servedVersions) (added []string) {
	if served.newest() == "" && t.Absent != Empty {
		return nil
	}
	for _, version := range unstructured.Versions() {
		if !slices.Contains(served.names, version) {
			added = append(added, version)
		}
	}
	return added
}

func newGroup() map[string]any {
	return map[string]any{"name": unstructured.Group, "versions": []any{}}
}

// addVersions adds versions behind those of the cluster, so that the preferred version does not change.
func addVersions(group any, added []string) {
	g, isObject := group.(map[string]any)
	if !isObject {
		return
	}
	versions, _ := g["versions"].([]any)
	for _, version := range added {
		versions = append(versions, map[string]any{
			"groupVersion": unstructured.Group + "/" + version, "version": version,
		})
	}
	g["versions"] = versions
	if g["preferredVersion"] == nil && len(versions) > 0 {
		g["preferredVersion"] = versions[0]
	}
}

func resourceList(version string) metav1.APIResourceList {
	list := metav1.APIResourceList{
		TypeMeta:     metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"},
		GroupVersion: unstructured.Group + "/" + version,
	}
	for _, kind := range kinds.All() {
		list.APIResources = append(list.APIResources, metav1.APIResource{
			Name: kind.Resource, SingularName: kind.Singular, Namespaced: kind.Namespaced, Kind: kind.Kind,
			Verbs: metav1.Verbs{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"},
		})
		if kind.HasStatus {
			list.APIResources = append(list.APIResources, metav1.APIResource{
				Name: kind.Resource + "/status", Namespaced: kind.Namespaced, Kind: kind.Kind,
				Verbs: metav1.Verbs{"get", "patch", "update"},
			})
		}
	}
	return list
}

// editDocument returns a discovery document with a change. It drops the ETag, which is that of the cluster's document.
func (t *transport) editDocument(r *http.Request, change func(document map[string]any)) (*http.Response, error) {
	read := r.Clone(r.Context())
	for _, name := range []string{"Accept-Encoding", "If-None-Match", "If-Modified-Since"} {
		read.Header.Del(name)
	}
	accept, acceptsJSON := transcode.AcceptedJSON(r.Header)
	if !acceptsJSON {
		accept = "application/json"
	}
	read.Header.Set("Accept", accept)
	resp, err := t.next.RoundTrip(read)
	if err != nil || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxDocument))
	if err != nil {
		return nil, err
	}
	var document map[string]any
	if json.Unmarshal(body, &document) == nil {
		change(document)
		if body, err = json.Marshal(document); err != nil {
			return nil, err
		}
	}
	edited := *resp
	edited.Header = resp.Header.Clone()
	edited.Header.Del("Etag")
	return withBody(&edited, body), nil
}

func jsonResponse(r *http.Request, code int, document any) *http.Response {
	body, _ := json.Marshal(document) // strings and numbers
	return withBody(&http.Response{
		StatusCode: code,
		Status:     fmt.Sprintf("%d %s", code, http.StatusText(code)),
		Proto:      "HTTP/1.1",
		ProtoMajor: 1,
		ProtoMinor: 1,
		Header:     http.Header{"Content-Type": {"application/json"}, "Cache-Control": {"no-cache, private"}},
		Request:    r,
	}, body)
}

func withBody(resp *http.Response, body []byte) *http.Response {
	resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
	resp.ContentLength = int64(len(body))
	resp.Uncompressed = false
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp
}

func memberOf(object any, name string) any {
	members, _ := object.(map[string]any)
	return members[name]
}
