package transcode

import (
	"net/http"
	"net/url"
	"testing"
)

func parseURL(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestParseTarget checks that only paths of the cluster's own API are parsed: a path behind a prefix without the
// segments api and openapi.
func TestParseTarget(t *testing.T) {
	const v = "/apis/resource.k8s.io/v1beta1"
	tests := map[string]struct{ path, prefix, version, kind, namespace, name, subresource string }{
		"a list": {path: v + "/resourceslices", version: "v1beta1", kind: "ResourceSlice"},
		"an object": {
			path: v + "/namespaces/a/resourceclaims/b", version: "v1beta1", kind: "ResourceClaim", namespace: "a", name: "b",
		},
		"a status": {
			path: v + "/namespaces/a/resourceclaims/b/status", version: "v1beta1", kind: "ResourceClaim", namespace: "a",
			name: "b", subresource: "status",
		},
		"below a prefix": {
			path: "/k8s/clusters/c-1" + v + "/deviceclasses", prefix: "/k8s/clusters/c-1", version: "v1beta1",
			kind: "DeviceClass",
		},
		"all namespaces":      {path: v + "/resourceclaims", version: "v1beta1", kind: "ResourceClaim"},
		"the version":         {path: v, version: "v1beta1"},
		"an unsupported kind": {path: v + "/devicetaintrules", version: "v1beta1"},
		"the status of a class": {
			path: v + "/deviceclasses/a/status", version: "v1beta1", name: "a", subresource: "status",
		},
		"a class in a namespace":    {path: v + "/namespaces/a/deviceclasses", version: "v1beta1", namespace: "a"},
		"a claim without namespace": {path: v + "/resourceclaims/a", version: "v1beta1", name: "a"},
		"an empty name":             {path: v + "/namespaces/a/resourceclaims//status", version: "v1beta1", namespace: "a"},
		"a path below a status": {
			path: v + "/namespaces/a/resourceclaims/b/status/c", version: "v1beta1", namespace: "a", name: "b",
			subresource: "status",
		},
		"an escaped slash": {
			path: v + "/namespaces/a%2Fb/resourceclaims/c", version: "v1beta1", namespace: "a%2Fb",
		},
		"a path behind a service":    {path: "/api/v1/namespaces/a/services/b/proxy" + v + "/resourceslices"},
		"a path behind a group":      {path: "/apis/example.com/v1/namespaces/a/things/b" + v + "/resourceslices"},
		"the OpenAPI document":       {path: "/openapi/v3" + v + "/resourceslices"},
		"the group":                  {path: "/apis/resource.k8s.io"},
		"another group":              {path: "/apis/apps/v1/deployments"},
		"a group with a longer name": {path: "/apis/resource.k8s.io.example.com/v1beta1/resourceslices"},
		"the root":                   {path: "/"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, ok := ParseTarget(parseURL(t, "https://cluster"+test.path))
			if want := test.version != ""; ok != want {
				t.Fatalf("got %t, want %t", ok, want)
			}
			if got.Prefix != test.prefix || got.Version != test.version || got.Resource.Kind != test.kind ||
				got.Namespace != test.namespace || got.Name != test.name || got.Subresource != test.subresource {
				t.Errorf("got %+v, want %+v", got, test)
			}
		})
	}
}

// TestUnsupportedPaths checks that the bridge rejects paths that it does not translate but an API server may accept.
// The API server would drop the fields of another version.
func TestUnsupportedPaths(t *testing.T) {
	const v = "/apis/resource.k8s.io/v1beta1"
	for path, isSupported := range map[string]bool{
		"":                                    true,
		"/":                                   true,
		"/resourceslices":                     true,
		"/resourceslices/":                    true,
		"/namespaces/a/resourceclaims/b/":     true,
		"/devicetaintrules/a":                 true,
		"/resourceslices//":                   false,
		"//resourceslices":                    false,
		"/namespaces//resourceclaims":         false,
		"/namespaces/a//resourceclaims":       false,
		"/namespaces/a/resourceclaims//b":     false,
		"/resourceslice%73":                   false,
		"/resourceslices/a%2Db":               false,
		"/n%61mespaces/a/resourceclaims/b":    false,
		"/namespaces/%61/resourceclaims/b":    false,
		"/namespaces%2fa/resourceclaims":      false,
		"/watch/resourceslices":               false,
		"/w%61tch/resourceslices":             false,
		"/watch%2fresourceslices":             false,
		"/watch/namespaces/a/resourceclaims/": false,
	} {
		target, ok := ParseTarget(parseURL(t, "https://cluster"+v+path))
		if !ok || (target.unsupported == "") != isSupported {
			t.Errorf("%q: got %t, %q, want supported: %t", path, ok, target.unsupported, isSupported)
		}
	}
}

// TestServedURL checks that only the version in the URL changes.
func TestServedURL(t *testing.T) {
	for requested, want := range map[string]string{
		"https://cluster/apis/resource.k8s.io/v1beta1/resourceslices": "" +
			"https://cluster/apis/resource.k8s.io/v1/resourceslices",
		"https://c:1/p/apis/resource.k8s.io/v1beta1/namespaces/v1beta1/resourceclaims": "" +
			"https://c:1/p/apis/resource.k8s.io/v1/namespaces/v1beta1/resourceclaims",
		"https://c/apis/resource.k8s.io/v1beta1/namespaces/a%2F..%2Fb/x?a=b": "" +
			"https://c/apis/resource.k8s.io/v1/namespaces/a%2F..%2Fb/x?a=b",
	} {
		u := parseURL(t, requested)
		target, _ := ParseTarget(u)
		if got := (Translator{ServedVersion: "v1"}).servedURL(u, target).String(); got != want {
			t.Errorf("%s: got %s, want %s", requested, got, want)
		}
	}
}

// TestIsTrue checks that a parameter is true as in upstream's Convert_Slice_string_To_bool.
func TestIsTrue(t *testing.T) {
	for query, want := range map[string]bool{
		"a=1": false, "watch": true, "watch=true": true, "watch=x": true, "watch=0": false,
		"watch=False&watch=1": false,
	} {
		if got := IsTrue(&url.URL{RawQuery: query}, "watch"); got != want {
			t.Errorf("%s: got %t, want %t", query, got, want)
		}
	}
}

func TestAcceptedJSON(t *testing.T) {
	const table = "application/json;as=Table;v=v1;g=meta.k8s.io"
	for accept, want := range map[string]string{
		"":                 "application/json",
		"application/json": "application/json",
		"*/*":              "application/json",
		"application/vnd.kubernetes.protobuf,application/json": "application/json",
		"application/json;stream=watch":                        "application/json;stream=watch",
		table + ", application/json":                           table + ",application/json",
		"text/html, */*;q=0.8":                                 "application/json",
		"application/*":                                        "",
		"application/vnd.kubernetes.protobuf":                  "",
		"application/yaml":                                     "",
		"nonsense":                                             "",
	} {
		header := http.Header{}
		if accept != "" {
			header.Set("Accept", accept)
		}
		if got, ok := AcceptedJSON(header); got != want || ok != (want != "") {
			t.Errorf("%s: got %q, %t, want %q", accept, got, ok, want)
		}
		wantTable := accept == table+", application/json"
		if got := PrefersTable(header); got != wantTable {
			t.Errorf("%s: prefers a table: got %t, want %t", accept, got, wantTable)
		}
	}
}
