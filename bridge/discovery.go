package bridge

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/bridge/internal/kinds"
	"github.com/claimbridge/claimbridge/bridge/internal/transcode"
	"github.com/claimbridge/claimbridge/bridge/jsonconvert"
)

// forwardOrDiscover forwards a request that is not below a version of the group, unless it reads the list of groups or
// the APIGroup document. To these it adds the versions that the bridge translates.
func (t *transport) forwardOrDiscover(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodGet {
		return t.next.RoundTrip(r)
	}
	_, path, _ := transcode.SplitPath(r.URL)
	switch strings.TrimSuffix(path, "/") {
	case "/apis":
		return t.groupListResponse(r)
	case transcode.GroupPath:
		return t.groupResponse(r)
	}
	return t.next.RoundTrip(r)
}

// groupListResponse returns the list of groups, or the aggregated discovery document, which also has their resources.
func (t *transport) groupListResponse(r *http.Request) (*http.Response, error) {
	served, err := t.versions(r)
	extra := t.extraVersions(served)
	if err != nil || len(extra) == 0 {
		return t.next.RoundTrip(r)
	}
	return t.editDocument(r, func(document map[string]any) {
		if document["kind"] == "APIGroupDiscoveryList" {
			addAggregatedVersions(document, extra)
			return
		}
		groups, _ := document["groups"].([]any)
		i := slices.IndexFunc(groups, func(g any) bool { return memberOf(g, "name") == jsonconvert.Group })
		if i < 0 {
			i = len(groups)
			groups = append(groups, newGroup())
		}
		addVersions(groups[i], extra)
		document["groups"] = groups
	})
}

// groupResponse returns the APIGroup document. It reads the versions now, because clients read this document to find
// out whether the cluster serves a new version.
func (t *transport) groupResponse(r *http.Request) (*http.Response, error) {
	served, err := t.refreshVersions(r)
	extra := t.extraVersions(served)
	switch {
	case err != nil || len(extra) == 0:
		return t.next.RoundTrip(r)
	case !served.hasGroup:
		transcode.CloseBody(r)
		group := newGroup()
		addVersions(group, extra)
		group["kind"] = "APIGroup"
		group["apiVersion"] = "v1"
		return transcode.JSONResponse(r, http.StatusOK, group), nil
	}
	return t.editDocument(r, func(document map[string]any) { addVersions(document, extra) })
}

// resourceListResponse returns the resources of a version. It edits the document of the served version, so that a
// client without permission gets the cluster's error.
func (t *transport) resourceListResponse(
	r *http.Request, target transcode.Target, servedVersion string,
) (*http.Response, error) {
	servedRequest := r.Clone(r.Context())
	servedRequest.URL.Path = pathPrefix(r) + transcode.GroupPath + "/" + servedVersion
	servedRequest.URL.RawPath = ""
	return t.editDocument(servedRequest, func(document map[string]any) {
		if document["groupVersion"] == nil {
			return
		}
		document["groupVersion"] = jsonconvert.Group + "/" + target.Version
		document["resources"] = resourceList(target.Version).APIResources
	})
}

// extraVersions returns the versions that the bridge adds to discovery: those that it translates and the cluster does
// not serve.
func (t *transport) extraVersions(served servedVersions) []string {
	if served.newest() == "" && t.Absent != AbsentEmpty {
		return nil
	}
	return slices.DeleteFunc(jsonconvert.Versions(), func(version string) bool {
		return slices.Contains(served.names, version)
	})
}

func newGroup() map[string]any {
	return map[string]any{"name": jsonconvert.Group, "versions": []any{}}
}

// addVersions adds versions after those of the cluster, so that the preferred version does not change.
func addVersions(group any, extra []string) {
	object, isObject := group.(map[string]any)
	if !isObject {
		return
	}
	versions, _ := object["versions"].([]any)
	for _, version := range extra {
		versions = append(versions, map[string]any{
			"groupVersion": jsonconvert.Group + "/" + version, "version": version,
		})
	}
	object["versions"] = versions
	if object["preferredVersion"] == nil && len(versions) > 0 {
		object["preferredVersion"] = versions[0]
	}
}

// resourceList returns the discovery document of a version: the resources that the bridge translates.
func resourceList(version string) metav1.APIResourceList {
	list := metav1.APIResourceList{
		TypeMeta:     metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"},
		GroupVersion: jsonconvert.Group + "/" + version,
	}
	for _, resource := range kinds.All() {
		list.APIResources = append(list.APIResources, metav1.APIResource{
			Name: resource.Plural, SingularName: resource.Singular, Namespaced: resource.Namespaced, Kind: resource.Kind,
			Verbs: metav1.Verbs{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"},
		})
		if resource.HasStatus {
			list.APIResources = append(list.APIResources, metav1.APIResource{
				Name: resource.Plural + "/status", Namespaced: resource.Namespaced, Kind: resource.Kind,
				Verbs: metav1.Verbs{"get", "patch", "update"},
			})
		}
	}
	return list
}

// editDocument forwards a request for a discovery document, and applies a change to the document in the response.
func (t *transport) editDocument(r *http.Request, change func(document map[string]any)) (*http.Response, error) {
	jsonRequest := r.Clone(r.Context())
	for _, name := range []string{"Accept-Encoding", "If-None-Match", "If-Modified-Since"} {
		jsonRequest.Header.Del(name)
	}
	accept, acceptsJSON := transcode.AcceptedJSON(r.Header)
	if !acceptsJSON {
		accept = "application/json"
	}
	jsonRequest.Header.Set("Accept", accept)
	resp, err := t.next.RoundTrip(jsonRequest)
	if err != nil || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	defer resp.Body.Close()
	body, err := readDocument(resp.Body, maxDiscoveryBytes)
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
	return transcode.WithBytes(resp, body), nil
}

// memberOf returns a member of a JSON object, or nil if the value is not an object.
func memberOf(object any, name string) any {
	members, _ := object.(map[string]any)
	return members[name]
}
