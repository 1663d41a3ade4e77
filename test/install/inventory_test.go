//go:build e2e

package install

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// resources returns the resources of the API server that can be listed.
func (c *cluster) resources(namespaced bool) (all []schema.GroupVersionResource) {
	// It returns an error if a group is being deleted.
	lists, _ := discovery.NewDiscoveryClientForConfigOrDie(c.Config).ServerPreferredResources()
	for _, list := range discovery.FilteredBy(discovery.SupportsAllVerbs{Verbs: []string{"list", "delete"}}, lists) {
		group, _ := schema.ParseGroupVersion(list.GroupVersion) // the server has validated it
		for _, resource := range list.APIResources {
			if !namespaced || resource.Namespaced {
				all = append(all, group.WithResource(resource.Name))
			}
		}
	}
	return all
}

// transientResources have objects that the control plane creates and deletes.
var transientResources = []schema.GroupResource{
	{Resource: "events"},
	{Group: "events.k8s.io", Resource: "events"},
	{Group: "coordination.k8s.io", Resource: "leases"},
}

// inventory returns all objects of the cluster.
func (c *cluster) inventory(t *testing.T) (all []string) {
	t.Helper()
	for _, resource := range c.resources(false) {
		if slices.Contains(transientResources, resource.GroupResource()) {
			continue
		}
		list, err := c.dynamic.Resource(resource).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			continue // the resource is being deleted: the next inventory shows it
		}
		for _, object := range list.Items {
			all = append(all, resource.GroupResource().String()+" "+namespacedName(object))
		}
	}
	slices.Sort(all)
	return all
}

// stableInventory waits until the inventory is equal ten times in a row, because API servers create some objects late.
func (c *cluster) stableInventory(t *testing.T) (all []string) {
	t.Helper()
	repetitions := 0
	await.NoError(t, "the objects of the cluster do not change anymore", func() error {
		previous := all
		all = c.inventory(t)
		if !slices.Equal(previous, all) {
			repetitions = 0
			return fmt.Errorf("the objects changed (-before +after):\n%s", cmp.Diff(previous, all))
		}
		repetitions++
		if repetitions < 10 {
			return fmt.Errorf("got %d equal inventories in a row, want 10", repetitions)
		}
		return nil
	})
	return all
}

func namespacedName(o unstructured.Unstructured) string {
	if o.GetNamespace() == "" {
		return o.GetName()
	}
	return o.GetNamespace() + "/" + o.GetName()
}

// awaitInventory waits until the cluster has exactly these objects: an APIService is deleted some time after its CRD.
func (c *cluster) awaitInventory(t *testing.T, what string, want []string) {
	t.Helper()
	want = slices.Sorted(slices.Values(want))
	await.NoError(t, what, func() error {
		if got := c.inventory(t); !slices.Equal(got, want) {
			return fmt.Errorf("objects of the cluster (-want +got):\n%s", cmp.Diff(want, got))
		}
		return nil
	})
}

// simulateNamespaceDeletion deletes the objects in terminating namespaces and removes the finalizer of the namespace,
// as the namespace controller does.
func (c *cluster) simulateNamespaceDeletion(t *testing.T) {
	t.Helper()
	core := must.Get(kubernetes.NewForConfig(c.Config))(t)
	go wait.UntilWithContext(t.Context(), func(ctx context.Context) {
		all, err := core.CoreV1().Namespaces().List(ctx, metav1.ListOptions{})
		if err != nil {
			return
		}
		for _, namespace := range all.Items {
			if namespace.DeletionTimestamp == nil {
				continue
			}
			for _, resource := range c.resources(true) {
				client := c.dynamic.Resource(resource).Namespace(namespace.Name)
				list, err := client.List(ctx, metav1.ListOptions{})
				if err != nil {
					continue
				}
				for _, object := range list.Items {
					_ = client.Delete(ctx, object.GetName(), metav1.DeleteOptions{})
				}
			}
			namespace.Spec.Finalizers = nil
			_, _ = core.CoreV1().Namespaces().Finalize(ctx, &namespace, metav1.UpdateOptions{})
		}
	}, 200*time.Millisecond)
}
