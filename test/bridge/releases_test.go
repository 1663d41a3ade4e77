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

// released clients: the release of client-go, the version in which it speaks, the media type that
// it writes, and what the cluster serves.
var released = []struct{ release, version, content, served string }{
	{"v0.32", "v1beta1", runtime.ContentTypeJSON, "v1"},
	{"v0.32", "v1beta1", runtime.ContentTypeProtobuf, "v1"},
	{"v0.33", "v1beta1", runtime.ContentTypeProtobuf, "v1beta2"},
	{"v0.33", "v1beta2", runtime.ContentTypeProtobuf, "v1"},
	{"v0.36", "v1beta2", runtime.ContentTypeProtobuf, "v1beta1"},
	{"v0.36", "v1", runtime.ContentTypeJSON, "v1beta1"},
	{"v0.36", "v1", runtime.ContentTypeProtobuf, "v1beta1"},
	{"v0.36", "v1", runtime.ContentTypeProtobuf, "v1beta2"},
}

// Typed clients and informers of the releases, as programs that nobody has rebuilt, work through
// claimbridge proxy, and a client of the version that is served sees at once what they do.
func TestClientsOfReleases(t *testing.T) {
	for _, r := range released {
		t.Run(r.release+" "+r.version+" over "+r.served+" "+r.content, func(t *testing.T) {
			c := over(t, r.served)
			t.Parallel()
			namespace, direct := c.space(t)
			api := resource(direct, r.served, namespace)
			client := c.typed(t, r.release, r.version, r.content, namespace)
			labels := func(name string) map[string]any {
				return map[string]any{"metadata": map[string]any{"labels": map[string]string{name: "1"}}}
			}
			var claim, status map[string]any
			decode(t, `{"metadata":{"name":"a"},"spec":`+shape(r.version).spec()+`}`, &claim)
			decode(t, `{"status":`+allocated("")+`}`, &status)
			client(question{"do": "watch"})
			created := client(question{"do": "create", "object": claim})
			client(question{"do": "seen", "resourceVersion": created.GetResourceVersion()})
			client(question{"do": "update", "merge": labels("l")})
			client(question{"do": "updateStatus", "merge": status})
			client(question{"do": "patch", "patchType": mergePatch, "patch": labels("m")})
			patched := client(question{"do": "patch", "patchType": strategic, "patch": labels("s")})
			stored := must.Get(api.Get(t.Context(), "a", metav1.GetOptions{}))(t)
			_, is, _ := unstructured.NestedMap(stored.Object, "status", "allocation")
			if !is || len(stored.GetLabels()) != 3 || stored.GetUID() != created.GetUID() ||
				stored.GetResourceVersion() != patched.GetResourceVersion() {
				t.Errorf("the cluster has %v, and the client %v", stored, patched)
			}
			stored.SetLabels(map[string]string{"another": "client"})
			stored = must.Get(api.Update(t.Context(), stored, metav1.UpdateOptions{}))(t)
			seen := client(question{"do": "seen", "resourceVersion": stored.GetResourceVersion()})
			if seen.GetLabels()["another"] != "client" {
				t.Errorf("the informer has %v", seen.GetLabels())
			}
			items, _, _ := unstructured.NestedSlice(client(question{"do": "list"}).Object, "items")
			if len(items) != 1 {
				t.Errorf("the list has %d claims", len(items))
			}
			client(question{"do": "delete"})
			client(question{"do": "seen", "resourceVersion": ""})
		})
	}
}

// question to a typed client.
type question = clients.Question

// typed client of a release, which runs until the test ends. It answers questions on the claim a
// with objects, as it has them.
func (c *cluster) typed(t *testing.T,
	release, version, content, namespace string,
) func(question) *unstructured.Unstructured {
	t.Helper()
	ask := clients.Start(t, release, c.kubeconfig(t, "writer", namespace, c.proxy(t, "writer", plane.Port(t)).url()),
		content)
	return func(q question) *unstructured.Unstructured {
		t.Helper()
		q["kind"], q["namespace"], q["version"], q["name"] = "ResourceClaim", namespace, version, "a"
		answer := ask(q)
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
