package transcode

import (
	"net/url"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// The API of the cluster begins with the first part that is called api or apis. What stands behind
// another API is not the cluster's.
func TestParse(t *testing.T) {
	const v = "/apis/resource.k8s.io/v1beta1"
	tests := map[string]struct{ path, prefix, version, kind, namespace, name, subresource string }{
		"a list": {path: v + "/resourceslices", version: "v1beta1", kind: "ResourceSlice"},
		"an object": {
			path:      v + "/namespaces/a/resourceclaims/b",
			version:   "v1beta1",
			kind:      "ResourceClaim",
			namespace: "a",
			name:      "b",
		},
		"a status": {
			path:        v + "/namespaces/a/resourceclaims/b/status",
			version:     "v1beta1",
			kind:        "ResourceClaim",
			namespace:   "a",
			name:        "b",
			subresource: "status",
		},
		"below a prefix": {
			path:    "/k8s/clusters/c-1" + v + "/deviceclasses",
			prefix:  "/k8s/clusters/c-1",
			version: "v1beta1",
			kind:    "DeviceClass",
		},
		"the version":      {path: v, version: "v1beta1"},
		"a kind of others": {path: v + "/devicetaintrules", version: "v1beta1"},
		"a name that is a path": {
			path:      v + "/namespaces/a%2Fb/resourceclaims/c%2Fd",
			version:   "v1beta1",
			namespace: "a%2Fb",
		},
		"of a service":          {path: "/api/v1/namespaces/a/services/b/proxy" + v + "/resourceslices"},
		"of a service's group":  {path: "/apis/example.com/v1/namespaces/a/things/b" + v + "/resourceslices"},
		"its OpenAPI":           {path: "/openapi/v3" + v + "/resourceslices"},
		"the group":             {path: "/apis/resource.k8s.io"},
		"another group":         {path: "/apis/apps/v1/deployments"},
		"a group that is alike": {path: "/apis/resource.k8s.io.example.com/v1beta1/resourceslices"},
		"nothing":               {path: "/"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			u := must.Get(url.Parse("https://cluster" + test.path))(t)
			got, ok := Parse(u)
			if ok != (test.version != "") {
				t.Fatalf("ours: %t", ok)
			}
			if got.Prefix != test.prefix || got.Version != test.version || got.kind.Kind != test.kind ||
				got.namespace != test.namespace ||
				got.name != test.name || got.subresource != test.subresource {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// A request goes where it was going, but for the version.
func TestURL(t *testing.T) {
	for asked, want := range map[string]string{
		"https://cluster/apis/resource.k8s.io/v1beta1/resourceslices": "" +
			"https://cluster/apis/resource.k8s.io/v1/resourceslices",
		"https://c:1/p/apis/resource.k8s.io/v1beta1/namespaces/v1beta1/resourceclaims": "" +
			"https://c:1/p/apis/resource.k8s.io/v1/namespaces/v1beta1/resourceclaims",
		"https://c/apis/resource.k8s.io/v1beta1/namespaces/a%2F..%2Fb/x?a=b": "" +
			"https://c/apis/resource.k8s.io/v1/namespaces/a%2F..%2Fb/x?a=b",
	} {
		u := must.Get(url.Parse(asked))(t)
		target, _ := Parse(u)
		if got := (Cluster{Version: "v1"}).url(u, target).String(); got != want {
			t.Errorf("%s goes to %s, not %s", asked, got, want)
		}
	}
}

// A parameter is true as upstream's Convert_Slice_string_To_bool has it.
func TestAsks(t *testing.T) {
	for query, want := range map[string]bool{
		"a=1": false, "watch": true, "watch=true": true, "watch=x": true, "watch=0": false,
		"watch=False&watch=1": false,
	} {
		if got := Asks(&url.URL{RawQuery: query}, "watch"); got != want {
			t.Errorf("%s: %t", query, got)
		}
	}
}
