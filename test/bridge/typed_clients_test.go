//go:build e2e

package bridge

import (
	"encoding/json"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/test/clients"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// clientReleases are releases of client-go, with the API version and the media type that the client uses, and the API
// version that the cluster serves.
var clientReleases = []struct{ release, version, contentType, served string }{
	{"v0.32", "v1beta1", runtime.ContentTypeJSON, "v1"},
	{"v0.32", "v1beta1", runtime.ContentTypeProtobuf, "v1"},
	{"v0.33", "v1beta1", runtime.ContentTypeProtobuf, "v1beta2"},
	{"v0.33", "v1beta2", runtime.ContentTypeProtobuf, "v1"},
	{"v0.36", "v1beta2", runtime.ContentTypeProtobuf, "v1beta1"},
	{"v0.36", "v1", runtime.ContentTypeJSON, "v1beta1"},
	{"v0.36", "v1", runtime.ContentTypeProtobuf, "v1beta1"},
	{"v0.36", "v1", runtime.ContentTypeProtobuf, "v1beta2"},
}

// TestTypedClientsOfReleases checks that typed clients and informers of several releases of client-go work unchanged
// through claimbridge proxy, and that clients of the served version see their writes.
func TestTypedClientsOfReleases(t *testing.T) {
	for _, r := range clientReleases {
		t.Run(r.release+" "+r.version+" over "+r.served+" "+r.contentType, func(t *testing.T) {
			c := clusterServing(t, r.served)
			t.Parallel()
			namespace, directClient := c.newNamespace(t)
			api := claimClient(directClient, r.served, namespace)
			do := c.startTypedClient(t, r.release, r.version, r.contentType, namespace)
			withLabel := func(name string) map[string]any {
				return map[string]any{"metadata": map[string]any{"labels": map[string]string{name: "1"}}}
			}
			var claim, status map[string]any
			decode(t, `{"metadata":{"name":"a"},"spec":`+manifests(r.version).spec()+`}`, &claim)
			decode(t, `{"status":`+allocated("")+`}`, &status)
			do(operation{"do": "watch"})
			created := do(operation{"do": "create", "object": claim})
			do(operation{"do": "getCached", "resourceVersion": created.GetResourceVersion()})
			do(operation{"do": "update", "merge": withLabel("l")})
			do(operation{"do": "updateStatus", "merge": status})
			do(operation{"do": "patch", "patchType": mergePatch, "patch": withLabel("m")})
			patched := do(operation{"do": "patch", "patchType": strategicPatch, "patch": withLabel("s")})
			stored := must.Get(api.Get(t.Context(), "a", metav1.GetOptions{}))(t)
			_, isAllocated, _ := unstructured.NestedMap(stored.Object, "status", "allocation")
			if !isAllocated || len(stored.GetLabels()) != 3 || stored.GetUID() != created.GetUID() ||
				stored.GetResourceVersion() != patched.GetResourceVersion() {
				t.Errorf("got the stored claim %v, want the allocated claim of the client with three labels: %v", stored, patched)
			}
			stored.SetLabels(map[string]string{"another": "client"})
			stored = must.Get(api.Update(t.Context(), stored, metav1.UpdateOptions{}))(t)
			cached := do(operation{"do": "getCached", "resourceVersion": stored.GetResourceVersion()})
			if got := cached.GetLabels()["another"]; got != "client" {
				t.Errorf("label in the informer's cache: got %q, want %q", got, "client")
			}
			items, _, _ := unstructured.NestedSlice(do(operation{"do": "list"}).Object, "items")
			if len(items) != 1 {
				t.Errorf("got a list of %d claims, want 1", len(items))
			}
			do(operation{"do": "delete"})
			do(operation{"do": "getCached", "resourceVersion": ""}) // waits until the claim is no longer in the cache
		})
	}
}

// operation is an operation of a typed client.
type operation = clients.Operation

// startTypedClient starts a typed client of a release, which runs until the test ends. It returns a function that
// performs an operation on the claim a, and returns the object in the client's response.
func (c *cluster) startTypedClient(t *testing.T,
	release, version, contentType, namespace string,
) func(operation) *unstructured.Unstructured {
	t.Helper()
	server := c.startProxy(t, "writer", plane.Port(t)).url()
	perform := clients.Start(t, release, c.kubeconfig(t, "writer", namespace, server), contentType)
	return func(o operation) *unstructured.Unstructured {
		t.Helper()
		o["kind"] = "ResourceClaim"
		o["namespace"] = namespace
		o["version"] = version
		o["name"] = "a"
		result := perform(o)
		if result.Error != "" {
			t.Fatalf("%v by the client %s in %s: %s", o["do"], release, version, result.Error)
		}
		return &unstructured.Unstructured{Object: result.Object}
	}
}

// decode decodes JSON.
func decode(t *testing.T, text string, target any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), target); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}
