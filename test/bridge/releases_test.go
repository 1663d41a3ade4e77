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

// clientReleases are releases of client-go, with the version and the media type that the client uses, and the version
// that the cluster serves.
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

// TestClientsOfReleases checks that typed clients and informers of older releases work unchanged through claimbridge
// proxy, and that a client of the served version has their writes.
func TestClientsOfReleases(t *testing.T) {
	for _, r := range clientReleases {
		t.Run(r.release+" "+r.version+" over "+r.served+" "+r.contentType, func(t *testing.T) {
			c := clusterServing(t, r.served)
			t.Parallel()
			namespace, direct := c.newNamespace(t)
			api := claimClient(direct, r.served, namespace)
			client := c.typed(t, r.release, r.version, r.contentType, namespace)
			labels := func(name string) map[string]any {
				return map[string]any{"metadata": map[string]any{"labels": map[string]string{name: "1"}}}
			}
			var claim, status map[string]any
			decode(t, `{"metadata":{"name":"a"},"spec":`+manifests(r.version).spec()+`}`, &claim)
			decode(t, `{"status":`+allocated("")+`}`, &status)
			client(operation{"do": "watch"})
			created := client(operation{"do": "create", "object": claim})
			client(operation{"do": "getCached", "resourceVersion": created.GetResourceVersion()})
			client(operation{"do": "update", "merge": labels("l")})
			client(operation{"do": "updateStatus", "merge": status})
			client(operation{"do": "patch", "patchType": mergePatch, "patch": labels("m")})
			patched := client(operation{"do": "patch", "patchType": strategic, "patch": labels("s")})
			stored := must.Get(api.Get(t.Context(), "a", metav1.GetOptions{}))(t)
			_, isAllocated, _ := unstructured.NestedMap(stored.Object, "status", "allocation")
			if !isAllocated || len(stored.GetLabels()) != 3 || stored.GetUID() != created.GetUID() ||
				stored.GetResourceVersion() != patched.GetResourceVersion() {
				t.Errorf("the cluster has %v, and the client %v", stored, patched)
			}
			stored.SetLabels(map[string]string{"another": "client"})
			stored = must.Get(api.Update(t.Context(), stored, metav1.UpdateOptions{}))(t)
			observed := client(operation{"do": "getCached", "resourceVersion": stored.GetResourceVersion()})
			if observed.GetLabels()["another"] != "client" {
				t.Errorf("the informer has %v", observed.GetLabels())
			}
			items, _, _ := unstructured.NestedSlice(client(operation{"do": "list"}).Object, "items")
			if len(items) != 1 {
				t.Errorf("the list has %d claims", len(items))
			}
			client(operation{"do": "delete"})
			client(operation{"do": "getCached", "resourceVersion": ""})
		})
	}
}

// operation of a typed client.
type operation = clients.Operation

// typed starts a typed client of a release, which runs until the test ends. It returns a function for operations on the
// claim a, which returns the object that the client has.
func (c *cluster) typed(t *testing.T,
	release, version, content, namespace string,
) func(operation) *unstructured.Unstructured {
	t.Helper()
	do := clients.Start(t, release, c.kubeconfig(t, "writer", namespace, c.startProxy(t, "writer", plane.Port(t)).url()),
		content)
	return func(q operation) *unstructured.Unstructured {
		t.Helper()
		q["kind"], q["namespace"], q["version"], q["name"] = "ResourceClaim", namespace, version, "a"
		answer := do(q)
		if answer.Error != "" {
			t.Fatalf("client %s of %s cannot %v: %s", release, version, q["do"], answer.Error)
		}
		return &unstructured.Unstructured{Object: answer.Object}
	}
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}
