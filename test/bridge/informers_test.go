//go:build e2e

package bridge

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/retry"

	"github.com/claimbridge/claimbridge/bridge"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestConcurrentWritesInTwoVersions checks that no write is lost if controllers of two versions update the same claims
// from their informers and retry on conflicts. At the end, both informers have the stored objects.
func TestConcurrentWritesInTwoVersions(t *testing.T) {
	c, requested := anyPair()
	t.Parallel()
	const claims, writes = 5, 300
	namespace, client := c.newNamespace(t)
	random := rand.New(rand.NewPCG(objects.Seed(t), 0))
	versions := []string{requested, c.served}
	informers := map[string]cache.SharedIndexInformer{}
	for _, version := range versions {
		informers[version] = informerOf(t, client, version, namespace)
	}
	for i := range claims {
		createClaim(t, client, versions[i%2], namespace, fmt.Sprintf("claim-%d", i))
	}
	expected := map[string]map[string]string{} // annotations by claim
	for i := range writes {
		name := fmt.Sprintf("claim-%d", random.IntN(claims))
		version := versions[random.IntN(2)]
		key := fmt.Sprintf("example.com/write-%d", i)
		writeClaim(t, client, informers[version], version, namespace, name, key, random)
		if expected[name] == nil {
			expected[name] = map[string]string{}
		}
		expected[name][key] = version
	}
	var names [2][]string
	for i, version := range versions {
		list := must.Get(claimClient(client, version, namespace).List(t.Context(), metav1.ListOptions{}))(t)
		stored := map[string]map[string]any{}
		for _, o := range list.Items {
			stored[o.GetName()] = o.Object
			names[i] = append(names[i], o.GetName()+" "+o.GetResourceVersion())
			if diff := cmp.Diff(expected[o.GetName()], o.GetAnnotations()); diff != "" {
				t.Errorf("annotations of %s in %s differ (-written +stored):\n%s", o.GetName(), version, diff)
			}
		}
		eventually(t, func() string { return cmp.Diff(stored, claimsByName(informers[version])) })
	}
	if diff := cmp.Diff(names[0], names[1]); diff != "" {
		t.Errorf("names and resourceVersions differ (-%s +%s):\n%s", versions[0], versions[1], diff)
	}
	if got := len(names[0]); got != claims {
		t.Errorf("got %d claims, want %d", got, claims)
	}
}

// writeClaim writes an annotation, and sometimes the status, like a controller: it updates the object of its informer,
// and after a conflict, the object of the API server.
func writeClaim(t *testing.T, client dynamic.Interface, informer cache.SharedIndexInformer,
	version, namespace, name, key string, random *rand.Rand,
) {
	t.Helper()
	api := claimClient(client, version, namespace)
	o := cachedClaim(t, informer, namespace, name)
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		if o == nil {
			current, err := api.Get(t.Context(), name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			o = current
		}
		annotations := o.GetAnnotations()
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations[key] = version
		o.SetAnnotations(annotations)
		_, err := api.Update(t.Context(), o, metav1.UpdateOptions{})
		o = nil
		return err
	})
	if err == nil && random.IntN(3) == 0 {
		patch := fmt.Sprintf(`{"status":{"reservedFor":[{"resource":"pods","name":%q,"uid":%q}],"allocation":{}}}`,
			key[len("example.com/"):], key[len("example.com/"):])
		_, err = api.Patch(t.Context(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}, "status")
	}
	if err != nil {
		t.Fatalf("write of %s in %s: %v", name, version, err)
	}
}

// cachedClaim returns a copy of a claim in the cache of an informer, or nil if the cache does not have it.
func cachedClaim(t *testing.T, informer cache.SharedIndexInformer, namespace, name string) *unstructured.Unstructured {
	t.Helper()
	o, exists, err := informer.GetStore().GetByKey(namespace + "/" + name)
	if err != nil || !exists {
		return nil
	}
	return o.(*unstructured.Unstructured).DeepCopy()
}

// TestMetadataPatchesDoNotConflict checks that concurrent metadata patches do not conflict, because they are forwarded.
func TestMetadataPatchesDoNotConflict(t *testing.T) {
	c, requested := anyPair()
	t.Parallel()
	const writers, writes = 8, 20
	for name, patch := range map[string]struct {
		kind types.PatchType
		text string
	}{
		"merge patches":           {types.MergePatchType, `{"metadata":{"labels":{%q:"x"}}}`},
		"strategic merge patches": {types.StrategicMergePatchType, `{"metadata":{"labels":{%q:"x"}}}`},
		"JSON patches":            {types.JSONPatchType, `[{"op":"add","path":"/metadata/labels/%s","value":"x"}]`},
	} {
		t.Run(name, func(t *testing.T) {
			namespace, client := c.newNamespace(t)
			createClaim(t, client, requested, namespace, "a")
			api := claimClient(client, requested, namespace)
			errs := make(chan error, writers)
			for w := range writers {
				go func() {
					for i := range writes {
						label := fmt.Sprintf("w%d-%d", w, i)
						text := fmt.Sprintf(patch.text, label)
						_, err := api.Patch(t.Context(), "a", patch.kind, []byte(text), metav1.PatchOptions{})
						if err != nil {
							errs <- fmt.Errorf("%s: %w", label, err)
							return
						}
					}
					errs <- nil
				}()
			}
			for range writers {
				if err := <-errs; err != nil {
					t.Errorf("got error %v (a conflict: %t), want none", err, apierrors.IsConflict(err))
				}
			}
			o := must.Get(claimClient(client, c.served, namespace).Get(t.Context(), "a", metav1.GetOptions{}))(t)
			want := writers*writes + 1
			if got := len(o.GetLabels()); got != want {
				t.Errorf("got %d labels, want %d: %v", got, want, slices.Sorted(maps.Keys(o.GetLabels())))
			}
		})
	}
}

// configWithBridge returns a client configuration of a user that uses the bridge.
func (c *cluster) configWithBridge(user string) *rest.Config {
	config := c.As(user)
	config.Wrap(bridge.Transport(bridge.Options{}))
	return config
}

// newNamespace creates a namespace, and returns a client of the user writer with the bridge.
func (c *cluster) newNamespace(t testing.TB) (namespace string, client dynamic.Interface) {
	t.Helper()
	admin := must.Get(kubernetes.NewForConfig(c.Config))(t)
	created, err := admin.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	client = must.Get(dynamic.NewForConfig(c.configWithBridge("writer")))(t)
	return created.Name, client
}

func claimClient(client dynamic.Interface, version, namespace string) dynamic.ResourceInterface {
	return client.Resource(claimGVR(version)).Namespace(namespace)
}

func claimGVR(version string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "resource.k8s.io", Version: version, Resource: "resourceclaims"}
}

// createClaim creates a claim in a version, with one label.
func createClaim(t *testing.T, client dynamic.Interface, version, namespace, name string) *unstructured.Unstructured {
	t.Helper()
	texts := manifests(version)
	text := `{"apiVersion":"resource.k8s.io/` + version + `","kind":"ResourceClaim","metadata":{"name":"` + name +
		`","labels":{"l":"1"}},"spec":` + texts.spec() + `}`
	o := &unstructured.Unstructured{}
	must.Do(t, json.Unmarshal([]byte(text), &o.Object))
	return must.Get(claimClient(client, version, namespace).Create(t.Context(), o, metav1.CreateOptions{}))(t)
}

// informerOf starts an informer for the claims in a namespace, and waits until it is synchronized.
func informerOf(t *testing.T, client dynamic.Interface, version, namespace string) cache.SharedIndexInformer {
	t.Helper()
	informer := dynamicinformer.NewFilteredDynamicInformer(client, claimGVR(version), namespace, 0, cache.Indexers{},
		nil).Informer()
	go informer.Run(t.Context().Done())
	if !cache.WaitForCacheSync(t.Context().Done(), informer.HasSynced) {
		t.Fatalf("the informer of %s is not synchronized", version)
	}
	return informer
}

// claimsByName returns the claims in the cache of an informer.
func claimsByName(informer cache.SharedIndexInformer) map[string]map[string]any {
	claims := map[string]map[string]any{}
	for _, o := range informer.GetStore().List() {
		object := o.(*unstructured.Unstructured)
		claims[object.GetName()] = object.Object
	}
	return claims
}

// eventually waits until a function reports no problem.
func eventually(t *testing.T, problem func() string) {
	t.Helper()
	await.NoError(t, "eventually", func() error {
		if text := problem(); text != "" {
			return errors.New(text)
		}
		return nil
	})
}

func resourceClient(client dynamic.Interface, group, version, resource string) dynamic.ResourceInterface {
	return client.Resource(schema.GroupVersionResource{Group: group, Version: version, Resource: resource})
}

func dynamicClient(t *testing.T, config *rest.Config) dynamic.Interface {
	t.Helper()
	return must.Get(dynamic.NewForConfig(config))(t)
}
