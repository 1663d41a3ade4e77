//go:build e2e

package transcode

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	inVersion = "/apis/resource.k8s.io/v1beta1"
	claims    = inVersion + "/namespaces/NS/resourceclaims"

	claimA = `{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"a","namespace":"NS","labels":{"x":"y"}},` +
		`"spec":{"devices":{"requests":[{"name":"r","deviceClassName":"gpu.example.com"}],` +
		`"config":[{"opaque":{"driver":"gpu.example.com","parameters":{"big":12345678901234567890,"nothing":null}}}]}}}`
	allocation = `{"devices":{"results":[{"request":"r","driver":"gpu.example.com","pool":"p","device":"d"}]}}`

	asJSON, asYAML             = "application/json", "application/yaml"
	mergePatch, jsonPatch      = "application/merge-patch+json", "application/json-patch+json"
	strategicPatch, applyPatch = "application/strategic-merge-patch+json", "application/apply-patch+yaml"
)

// step is one request of many that are sent in turn.
type step struct {
	method, path, contentType, body string
	header                          []string
}

// The answer key is kube-apiserver, which serves v1beta1 itself here.
func TestAnswersAreThoseOfAnAPIServer(t *testing.T) {
	create := step{method: "POST", path: claims, contentType: asJSON, body: claimA}
	patch := func(contentType, body string) step {
		return step{method: "PATCH", path: claims + "/a", contentType: contentType, body: body}
	}
	tests := map[string][]step{
		"an object is created, read, listed and deleted": {
			create, {method: "GET", path: claims + "/a"}, {method: "GET", path: claims}, {method: "GET", path: claims, header: []string{"Accept", asYAML}},
			{method: "GET", path: claims + "?pretty=true"}, {method: "GET", path: claims + "/a?pretty=1"}, {method: "GET", path: claims + "/a", header: []string{"Accept", asYAML}},
			{method: "GET", path: claims + "/a", header: []string{"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"}},
			{method: "GET", path: claims + "?includeObject=Object", header: []string{"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"}},
			{method: "GET", path: claims, header: []string{"Accept", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"}},
			{method: "GET", path: claims + "/a", header: []string{"Accept", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"}},
			{method: "DELETE", path: claims + "/a", contentType: asJSON, body: `{"apiVersion":"resource.k8s.io/v1beta1","kind":"DeleteOptions","preconditions":{"uid":"no"}}`},
			{method: "DELETE", path: claims + "/a"}, {method: "GET", path: claims + "/a"}, {method: "GET", path: claims},
		},
		"all are deleted":   {create, {method: "DELETE", path: claims}, {method: "GET", path: claims}},
		"a list of nothing": {{method: "GET", path: claims}, {method: "GET", path: claims + "?pretty=1"}, {method: "GET", path: claims, header: []string{"Accept", asYAML}}},
		"bodies that are no claims": {
			{method: "POST", path: claims, contentType: asJSON, body: ``},
			{method: "POST", path: claims, contentType: asJSON, body: `{`},
			{method: "POST", path: claims, contentType: asJSON, body: `[]`},
			{method: "POST", path: claims, contentType: asJSON, body: `null`},
			{method: "POST", path: claims, contentType: asJSON, body: `{}`},
			{method: "POST", path: claims, contentType: asJSON, body: `{"spec":7}`},
			{method: "POST", path: claims, contentType: asJSON, body: `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim"}`},
			{method: "POST", path: claims, contentType: asJSON, body: `{"apiVersion":"resource.k8s.io/v1beta1","kind":"DeviceClass"}`},
			{method: "POST", path: claims, contentType: "text/plain", body: `{}`},
			{method: "POST", path: claims, contentType: asYAML, body: "a: [\n"},
			{method: "PUT", path: claims + "/a", contentType: asJSON, body: claimA},
			{method: "PUT", path: claims + "/b", contentType: asJSON, body: claimA},
		},
		"fields that there are not": {
			{method: "POST", path: claims + "?fieldValidation=Strict", contentType: asJSON, body: `{"metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"r","exactly":{},"deviceClassName":"c","colour":1}]}},"spec":{}}`},
			{method: "POST", path: claims + "?fieldValidation=Strict", contentType: asYAML, body: "metadata: {name: a}\nmetadata: {name: a}\nspec: {x: y}\n"},
			{method: "POST", path: claims, contentType: asJSON, body: `{"metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"r","exactly":{},"deviceClassName":"c","colour":1}]}}}`},
			{method: "POST", path: claims + "?fieldValidation=Ignore", contentType: asJSON, body: `{"metadata":{"name":"b"},"spec":{"devices":{"requests":[{"name":"r","deviceClassName":"c","colour":1}]}}}`},
			{method: "POST", path: claims + "?fieldValidation=No", contentType: asJSON, body: claimA},
			{method: "POST", path: claims + "?dryRun=No", contentType: asJSON, body: claimA},
			patch(mergePatch+"; charset=utf-8", `{"spec":{"colour":1}}`), patch(strategicPatch, `{"colour":1}`),
			patch(jsonPatch, `[{"op":"add","path":"/colour","value":1,"more":2}]`),
			{method: "PATCH", path: claims + "/a?fieldValidation=Strict", contentType: mergePatch, body: `{"metadata":{"colour":1}}`},
		},
		"an update": {
			create, {method: "PUT", path: claims + "/a", contentType: asJSON, body: claimA},
			{method: "PUT", path: claims + "/a", contentType: asYAML, body: "metadata: {name: a, resourceVersion: \"1\"}\nspec: {}\n"},
			{method: "PUT", path: claims + "/a", contentType: asYAML, body: "metadata: {name: a, resourceVersion: \"0\"}\nspec: {}\n"},
			{method: "PUT", path: claims + "/a/status", contentType: asJSON, body: `{"metadata":{"name":"a"},"status":{"allocation":` + allocation + `}}`},
			{method: "GET", path: claims + "/a/status"},
			{method: "PUT", path: claims + "/a/status", contentType: asJSON, body: `{"metadata":{"name":"a"},"status":{"allocation":{"devices":{"results":[{"request":"no"}]}}}}`},
		},
		"patches": {
			create, patch(mergePatch, `{"metadata":{"labels":{"x":null,"z":"1"}}}`), patch(strategicPatch, `{"apiVersion":"resource.k8s.io/v1beta1","metadata":{"finalizers":["a/b"]}}`),
			patch(strategicPatch, `{"metadata":{"$deleteFromPrimitiveList/finalizers":["a/b"]}}`),
			patch(jsonPatch, `[{"op":"test","path":"/apiVersion","value":"resource.k8s.io/v1beta1"},{"op":"add","path":"/metadata/labels/q","value":"1"}]`),
			patch(jsonPatch, `[{"op":"test","path":"/spec/devices/requests/0/deviceClassName","value":"no"}]`),
			patch(jsonPatch, `[{"op":"replace","path":"/spec/devices/requests/0/deviceClassName","value":"gpu.example.com"},{"op":"copy","from":"/metadata/labels/q","path":"/metadata/labels/r"}]`),
			patch(mergePatch, `{"spec":{"devices":{"requests":[{"name":"s","deviceClassName":"c"}]}}}`),
			patch(mergePatch, `{"metadata":{"resourceVersion":"1"},"spec":{"devices":{"requests":[]}}}`),
			patch(mergePatch, `{"metadata":{"name":"b"},"apiVersion":"resource.k8s.io/v1beta1","spec":null}`),
			patch(mergePatch, `{"kind":"Pod"}`), patch(mergePatch, `[]`), patch(mergePatch, `{`), patch(jsonPatch, `{}`), patch(jsonPatch, `[{"op":"no","path":"/spec"}]`),
			patch(asJSON, `{}`), patch(mergePatch, `{"spec":7}`), patch(strategicPatch, `{"spec":7}`), patch(strategicPatch, `{"$patch":"replace"}`),
			{method: "PATCH", path: claims + "/a/status", contentType: mergePatch, body: `{"status":{"allocation":` + allocation + `}}`},
			{method: "PATCH", path: claims + "/a/status", contentType: strategicPatch, body: `{"spec":{},"status":{"reservedFor":[{"resource":"pods","name":"p","uid":"u"}]}}`},
			{method: "PATCH", path: claims + "/missing", contentType: mergePatch, body: `{"spec":{}}`},
			{method: "GET", path: claims + "/a"},
		},
		"what is applied": {
			{method: "PATCH", path: claims + "/a", contentType: applyPatch, body: claimA},
			{method: "PATCH", path: claims + "/a?fieldManager=one", contentType: applyPatch, body: claimA},
			{method: "PATCH", path: claims + "/a?fieldManager=two", contentType: applyPatch, body: `{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"a","labels":{"x":"z"}}}`},
			{method: "PATCH", path: claims + "/a?fieldManager=two&force=true", contentType: applyPatch, body: `{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"a","labels":{"x":"z"}}}`},
			{method: "PATCH", path: claims + "/a?fieldManager=two", contentType: applyPatch, body: `{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"no":1}}`},
			{method: "PATCH", path: claims + "/a?fieldManager=two", contentType: applyPatch, body: `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"}}`},
			{method: "PATCH", path: claims + "/a?fieldManager=two", contentType: applyPatch, body: `{"apiVersion":"resource.k8s.io/v1beta1","kind":"DeviceClass","metadata":{"name":"a"}}`},
			{method: "PATCH", path: claims + "/a?fieldManager=two", contentType: applyPatch, body: `{"kind":"ResourceClaim","metadata":{"name":"a"}}`},
			{method: "PATCH", path: claims + "/a?fieldManager=two", contentType: applyPatch, body: "a: [\n"},
			{method: "PATCH", path: claims + "/a?fieldManager=two&fieldValidation=Strict", contentType: applyPatch, body: "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaim\nkind: ResourceClaim\nmetadata: {name: a}\n"},
		},
		"media types": {
			{method: "GET", path: claims, header: []string{"Accept", "application/json;stream=watch"}},
			{method: "GET", path: claims, header: []string{"Accept", "application/vnd.kubernetes.protobuf;as=x, */*"}},
		},
		"bodies that are too big": {
			{method: "POST", path: claims, contentType: asJSON, body: strings.Repeat(" ", 3<<20+1)},
			{method: "PUT", path: claims + "/a", contentType: asJSON, body: strings.Repeat(" ", 3<<20+1)},
			{method: "DELETE", path: claims + "/a", contentType: asJSON, body: strings.Repeat(" ", 3<<20+1)},
			create, patch(jsonPatch, "["+strings.Repeat(`{"op":"test","path":"/spec/x","value":1},`, 10_000)+`{"op":"test","path":"/spec","value":1}]`),
			patch(jsonPatch, "["+strings.Repeat(`{"op":"test","path":"/metadata/x","value":1},`, 10_000)+`{"op":"test","path":"/metadata/y","value":1}]`),
			{method: "POST", path: claims, contentType: asJSON, body: `{"spec":` + strings.Repeat(`{"a":`, 20_000)},
			patch(mergePatch, `{"spec":`+strings.Repeat(`{"a":`, 11_000)+"1"+strings.Repeat("}", 11_000)+"}"),
		},
		"selectors": {
			create, {method: "GET", path: claims + "?fieldSelector=metadata.name%3Da"}, {method: "GET", path: claims + "?fieldSelector=spec.no%3Da"},
			{method: "GET", path: claims + "?labelSelector=x%3Dno"}, {method: "GET", path: claims + "?limit=x"},
			{method: "GET", path: claims + "?watch=1&timeoutSeconds=1&resourceVersion=0&fieldSelector=metadata.name%3Da"},
			{method: "GET", path: inVersion + "/watch/namespaces/NS/resourceclaims/a?timeoutSeconds=1"},
			{method: "GET", path: claims + "?watch=1&timeoutSeconds=1&resourceVersion=1"},
			{method: "GET", path: claims + "?watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"},
			{method: "GET", path: claims + "?watch=1&timeoutSeconds=1", header: []string{"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"}},
		},
	}
	for _, version := range []string{"v1beta1", "v1beta2"} {
		for resource, object := range objects[version] {
			tests[resource+" of "+version] = life(version, resource, object)
		}
	}
	for name, steps := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ours, theirs := servers(t)
			for _, step := range steps {
				var want, got *http.Response
				var wantBody, gotBody []byte
				for range 5 {
					want, wantBody = theirs.send(t, step.method, step.path, step.contentType, step.body, step.header...)
					got, gotBody = ours.send(t, step.method, step.path, step.contentType, step.body, step.header...)
					if !strings.Contains(step.path, "watch") || cmp.Equal(theirs.plain(wantBody), ours.plain(gotBody)) {
						break // a watch ends after a second, whatever it has told on a busy machine
					}
				}
				if got.StatusCode != want.StatusCode {
					t.Errorf("%s %s %s: code %d, want %d", step.method, step.path, step.body, got.StatusCode, want.StatusCode)
				}
				if diff := cmp.Diff(theirs.plain(wantBody), ours.plain(gotBody)); diff != "" {
					t.Errorf("%s %s %s: the body differs (-want +got):\n%s", step.method, step.path, step.body, diff)
				}
				for _, name := range []string{"Content-Type", "Warning"} {
					if diff := cmp.Diff(want.Header[name], got.Header[name]); diff != "" {
						t.Errorf("%s %s %s: %s differs (-want +got):\n%s", step.method, step.path, step.body, name, diff)
					}
				}
			}
		})
	}
}

// What is stored is read through both, and is the same to the byte.
func TestAnswersAreThoseOfAnAPIServerToTheByte(t *testing.T) {
	ours, theirs := servers(t)
	ours.namespace = theirs.namespace
	theirs.send(t, "POST", claims, asJSON, claimA)
	for _, path := range []string{claims, claims + "/a", claims + "?pretty=1", claims + "/a?pretty=1", claims + "?limit=1"} {
		for _, accept := range []string{"", asYAML, "application/json;as=Table;v=v1;g=meta.k8s.io", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"} {
			want, got := whileNobodyWrites(t, theirs, ours, path, accept)
			if !bytes.Equal(want, got) {
				t.Errorf("%s as %q:\nwant %s\ngot  %s", path, accept, want, got)
			}
		}
	}
}

// whileNobodyWrites both are asked for the same. A list has the resourceVersion that all of the store has, and kube-apiserver itself writes now and
// then, its lease for one: so the first is asked before and after, until it says the same twice.
func whileNobodyWrites(t *testing.T, theirs, ours *server, path, accept string) (want, got []byte) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		_, want = theirs.send(t, "GET", path, "", "", "Accept", accept)
		_, got = ours.send(t, "GET", path, "", "", "Accept", accept)
		if _, after := theirs.send(t, "GET", path, "", "", "Accept", accept); bytes.Equal(want, after) {
			return want, got
		}
	}
	t.Fatalf("%s as %q: no two answers of kube-apiserver are the same", path, accept)
	return nil, nil
}

// objects without their name, by version and path.
var objects = map[string]map[string]string{
	"v1beta1": {
		"/namespaces/NS/resourceclaims":         `"spec":{"devices":{"requests":[{"name":"a","deviceClassName":"c","count":2},{"name":"b","firstAvailable":[{"name":"x","deviceClassName":"c"}]}]}}`,
		"/namespaces/NS/resourceclaimtemplates": `"spec":{"metadata":{"labels":{"a":"b"}},"spec":{"devices":{"requests":[{"name":"a","deviceClassName":"c","allocationMode":"All"}]}}}`,
		"/deviceclasses":                        `"spec":{"selectors":[{"cel":{"expression":"true"}}]}`,
		"/resourceslices":                       `"spec":{"driver":"d.example.com","nodeName":"n","pool":{"name":"p","generation":1,"resourceSliceCount":1},"devices":[{"name":"d","basic":{"attributes":{"x":{"int":1}},"capacity":{"m":{"value":"1Gi"}}}}]}`,
	},
	"v1beta2": {
		"/namespaces/NS/resourceclaims":         `"spec":{"devices":{"requests":[{"name":"a","exactly":{"deviceClassName":"c","count":2}}]}}`,
		"/namespaces/NS/resourceclaimtemplates": `"spec":{"spec":{"devices":{"requests":[{"name":"a","exactly":{"deviceClassName":"c"}}]}}}`,
		"/deviceclasses":                        `"spec":{"selectors":[{"cel":{"expression":"true"}}]}`,
		"/resourceslices":                       `"spec":{"driver":"d.example.com","allNodes":true,"pool":{"name":"p","generation":1,"resourceSliceCount":1},"devices":[{"name":"d","attributes":{"x":{"int":1}},"capacity":{"m":{"value":"1Gi"}}}]}`,
	},
}

// life of an object by every verb.
func life(version, resource, object string) []step {
	kind := map[string]string{
		"resourceclaims": "ResourceClaim", "resourceclaimtemplates": "ResourceClaimTemplate", "deviceclasses": "DeviceClass", "resourceslices": "ResourceSlice",
	}[resource[strings.LastIndexByte(resource, '/')+1:]]
	path := "/apis/resource.k8s.io/" + version + resource
	named := func(more string) string {
		return `{"apiVersion":"resource.k8s.io/` + version + `","kind":"` + kind + `","metadata":{"name":"NS-x"` + more + `},` + object + `}`
	}
	one := path + "/NS-x"
	return []step{
		{method: "POST", path: path, contentType: asJSON, body: named("")}, {method: "POST", path: path, contentType: asJSON, body: named("")},
		{method: "POST", path: path, contentType: asJSON, body: strings.Replace(named(""), `"name":"NS-x"`, `"generateName":"NS-x-"`, 1) + "x"},
		{method: "GET", path: one}, {method: "GET", path: path + "?fieldSelector=metadata.name%3DNS-x"},
		{method: "GET", path: path + "?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3DNS-x", header: []string{"Accept", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"}},
		{method: "PUT", path: one, contentType: asJSON, body: named(`,"labels":{"a":"b"},"annotations":{"a":"b"},"finalizers":["a.b/c"]`)},
		{method: "PATCH", path: one, contentType: mergePatch, body: `{"metadata":{"finalizers":null,"labels":{"a":"c"}}}`},
		{method: "PATCH", path: one, contentType: mergePatch, body: `{` + object + `}`},
		{method: "PATCH", path: one, contentType: strategicPatch, body: `{"metadata":{"labels":{"d":"e"}},` + object + `}`},
		{method: "PATCH", path: one, contentType: jsonPatch, body: `[{"op":"remove","path":"/spec"}]`},
		{method: "PATCH", path: one, contentType: jsonPatch, body: `[{"op":"test","path":"/kind","value":"` + kind + `"},{"op":"add","path":"/metadata/annotations/x","value":"y"}]`},
		{method: "PATCH", path: one + "?fieldManager=x", contentType: applyPatch, body: named("")},
		{method: "PATCH", path: one + "?fieldManager=x&dryRun=All", contentType: applyPatch, body: named(`,"labels":{"z":"z"}`)},
		{method: "PUT", path: one + "?dryRun=All", contentType: asJSON, body: named(`,"resourceVersion":"1"`)},
		{method: "PUT", path: one + "?fieldManager=y", contentType: asYAML, body: "metadata: {name: NS-x, labels: {q: q}}\n"},
		{method: "PUT", path: one + "-missing", contentType: asJSON, body: strings.Replace(named(""), "NS-x", "NS-x-missing", 1)},
		{method: "DELETE", path: one + "?dryRun=All"}, {method: "DELETE", path: one + "?propagationPolicy=Background", contentType: asJSON, body: `{}`},
		{method: "DELETE", path: one}, {method: "PATCH", path: one, contentType: mergePatch, body: `{"metadata":{}}`},
	}
}
