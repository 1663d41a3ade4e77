package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/munnerz/goautoneg"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/bridge/internal/kinds"
	"github.com/claimbridge/claimbridge/bridge/internal/transcode"
)

// document that a request is for and that tells of the group; nil for another one.
func (t *transport) document(r *http.Request) func(*http.Request) (*http.Response, error) {
	if r.Method != http.MethodGet {
		return nil
	}
	switch _, path, _ := transcode.Split(r.URL); strings.TrimSuffix(path, "/") {
	case "/apis":
		return t.groups
	case groupPath:
		return t.group
	}
	return nil
}

// groups of the cluster: the list of names, or the aggregated document that has all resources.
func (t *transport) groups(r *http.Request) (*http.Response, error) {
	known, err := t.versions(r, false)
	if err != nil || t.shown(known) == nil {
		return t.next.RoundTrip(r)
	}
	return t.edited(r, func(body map[string]any) {
		if body["kind"] == "APIGroupDiscoveryList" {
			t.addAggregated(body, known)
			return
		}
		groups, _ := body["groups"].([]any)
		at := slices.IndexFunc(groups, func(g any) bool { return member(g, "name") == api.Group })
		if at < 0 {
			groups, at = append(groups, newGroup()), len(groups)
		}
		t.addVersions(groups[at], known)
		body["groups"] = groups
	})
}

// group is the document of the group itself.
func (t *transport) group(r *http.Request) (*http.Response, error) {
	known, err := t.versions(r, true)
	switch {
	case err != nil || t.shown(known) == nil:
		return t.next.RoundTrip(r)
	case known.absent() && len(known.versions) == 0:
		group := newGroup()
		t.addVersions(group, known)
		group["kind"], group["apiVersion"] = "APIGroup", "v1"
		return document(r, http.StatusOK, group), nil
	}
	return t.edited(r, func(body map[string]any) { t.addVersions(body, known) })
}

func newGroup() map[string]any { return map[string]any{"name": api.Group, "versions": []any{}} }

// shown are the versions that are answered beside those that the cluster serves.
func (t *transport) shown(known served) (added []string) {
	versions := kinds.Whole
	switch {
	case known.newest() == kinds.Whole[0]:
		versions = append(slices.Clone(versions), kinds.Views...)
	case known.absent() && t.Absent != Empty:
		return nil
	}
	for _, version := range versions {
		if !slices.Contains(known.versions, version) {
			added = append(added, version)
		}
	}
	return added
}

// addVersions behind those of the cluster, so that the preferred one stays what it is.
func (t *transport) addVersions(group any, known served) {
	g, is := group.(map[string]any)
	if !is {
		return
	}
	versions, _ := g["versions"].([]any)
	for _, version := range t.shown(known) {
		versions = append(versions, map[string]any{"groupVersion": api.Group + "/" + version, "version": version})
	}
	g["versions"] = versions
	if g["preferredVersion"] == nil && len(versions) > 0 {
		g["preferredVersion"] = versions[0]
	}
}

// resources responds with the resources of a version, from those of a served version that the client can read.
func (t *transport) resources(r *http.Request, target transcode.Target, from string) (*http.Response, error) {
	asked := r.Clone(r.Context())
	asked.URL.Path, asked.URL.RawPath = target.Prefix+groupPath+"/"+from, ""
	return t.edited(asked, func(body map[string]any) {
		if body["groupVersion"] == nil {
			return
		}
		body["groupVersion"] = api.Group + "/" + target.Version
		body["resources"] = resourceList(target.Version).APIResources
	})
}

// edited is a document of JSON, changed. What says which edition it is goes, since that is the cluster's.
func (t *transport) edited(r *http.Request, change func(map[string]any)) (*http.Response, error) {
	asked := r.Clone(r.Context())
	for _, name := range []string{"Accept-Encoding", "If-None-Match", "If-Modified-Since"} {
		asked.Header.Del(name)
	}
	asked.Header.Set("Accept", asJSON(r.Header.Get("Accept")))
	resp, err := t.next.RoundTrip(asked)
	if err != nil || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxDocument))
	if err != nil {
		return nil, err
	}
	var body map[string]any
	if json.Unmarshal(raw, &body) == nil {
		change(body)
		if raw, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	answer := *resp
	answer.Header = resp.Header.Clone()
	answer.Header.Del("Etag")
	return withBody(&answer, raw), nil
}

// asJSON is what a client takes that is JSON.
func asJSON(accept string) string {
	var kept []string
	for _, clause := range goautoneg.ParseAccept(accept) {
		if clause.Type != "application" || clause.SubType != "json" {
			continue
		}
		text := "application/json"
		for _, name := range []string{"g", "v", "as", "profile"} {
			if value := clause.Params[name]; value != "" {
				text += fmt.Sprintf(";%s=%s", name, value)
			}
		}
		kept = append(kept, text)
	}
	return strings.Join(append(kept, "application/json"), ",")
}

// document as an answer.
func document(r *http.Request, code int, body any) *http.Response {
	raw, _ := json.Marshal(body) // texts and numbers
	return withBody(&http.Response{
		StatusCode: code,
		Status:     fmt.Sprintf("%d %s", code, http.StatusText(code)),
		Proto:      "HTTP/1.1",
		ProtoMajor: 1,
		ProtoMinor: 1,
		Header:     http.Header{"Content-Type": {"application/json"}, "Cache-Control": {"no-cache, private"}},
		Request:    r,
	}, raw)
}

func withBody(resp *http.Response, body []byte) *http.Response {
	resp.Header.Set("Content-Length", fmt.Sprint(len(body)))
	resp.ContentLength, resp.Uncompressed = int64(len(body)), false
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp
}

func member(object any, name string) any {
	m, _ := object.(map[string]any)
	return m[name]
}
