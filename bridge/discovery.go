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

// respondToDiscovery adds the translated versions to the list of groups and to the document of the group. It forwards
// all other requests.
func (t *transport) respondToDiscovery(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodGet {
		return t.next.RoundTrip(r)
	}
	_, path, _ := transcode.Split(r.URL)
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
	served, err := t.cachedOrReadVersions(r)
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
		i := slices.IndexFunc(groups, func(g any) bool { return memberOf(g, "name") == jsonconvert.Group })
		if i < 0 {
			i = len(groups)
			groups = append(groups, newGroup())
		}
		addVersions(groups[i], added)
		document["groups"] = groups
	})
}

// groupResponse returns the document of the group. It reads the versions now, because clients read this document when
// they look for a version that appeared.
func (t *transport) groupResponse(r *http.Request) (*http.Response, error) {
	served, err := t.refreshVersions(r)
	added := t.addedVersions(served)
	switch {
	case err != nil || len(added) == 0:
		return t.next.RoundTrip(r)
	case !served.hasGroup:
		transcode.CloseBody(r)
		group := newGroup()
		addVersions(group, added)
		group["kind"] = "APIGroup"
		group["apiVersion"] = "v1"
		return transcode.JSONResponse(r, http.StatusOK, group), nil
	}
	return t.editDocument(r, func(document map[string]any) { addVersions(document, added) })
}

// resourceListResponse returns the resources of a version. It reads the document of the served version first, so that a
// client without permission gets the cluster's error.
func (t *transport) resourceListResponse(
	r *http.Request, target transcode.Target, servedVersion string,
) (*http.Response, error) {
	read := r.Clone(r.Context())
	read.URL.Path = pathPrefix(r) + transcode.GroupPath + "/" + servedVersion
	read.URL.RawPath = ""
	return t.editDocument(read, func(document map[string]any) {
		if document["groupVersion"] == nil {
			return
		}
		document["groupVersion"] = jsonconvert.Group + "/" + target.Version
		document["resources"] = resourceList(target.Version).APIResources
	})
}

// addedVersions returns the versions that the cluster does not serve and the bridge translates.
func (t *transport) addedVersions(served servedVersions) (added []string) {
	if served.newest() == "" && t.Absent != AbsentEmpty {
		return nil
	}
	for _, version := range jsonconvert.Versions() {
		if !slices.Contains(served.names, version) {
			added = append(added, version)
		}
	}
	return added
}

func newGroup() map[string]any {
	return map[string]any{"name": jsonconvert.Group, "versions": []any{}}
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
			"groupVersion": jsonconvert.Group + "/" + version, "version": version,
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

// editDocument returns a discovery document with a change.
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
	body, err := readDocument(resp.Body, maxDocument)
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

func memberOf(object any, name string) any {
	members, _ := object.(map[string]any)
	return members[name]
}
