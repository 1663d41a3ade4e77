//go:build e2e

package install

import (
	"context"
	"errors"
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
	// an error: a group that is being deleted
	lists, _ := discovery.NewDiscoveryClientForConfigOrDie(c.Config).ServerPreferredResources()
	for _, list := range discovery.FilteredBy(discovery.SupportsAllVerbs{Verbs: []string{"list", "delete"}}, lists) {
		group, _ := schema.ParseGroupVersion(list.GroupVersion) // they are of a server that has parsed them
		for _, resource := range list.APIResources {
			if !namespaced || resource.Namespaced {
				all = append(all, group.WithResource(resource.Name))
			}
		}
	}
	return all
}

// transient objects are created and deleted by the control plane.
var transient = []schema.GroupResource{
	{Resource: "events"},
	{Group: "events.k8s.io", Resource: "events"},
	{Group: "coordination.k8s.io", Resource: "leases"},
}

// inventory returns all objects of the cluster.
func (c *cluster) inventory(t *testing.T) (all []string) {
	t.Helper()
	for _, resource := range c.resources(false) {
		if slices.Contains(transient, resource.GroupResource()) {
			continue
		}
		list, err := c.dynamic.Resource(resource).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			continue // it is being deleted: the next inventory shows it
		}
		for _, object := range list.Items {
			all = append(all, resource.GroupResource().String()+" "+title(object))
		}
	}
	slices.Sort(all)
	return all
}

// settled returns an inventory that does not change for a while, because API servers create some objects late.
func (c *cluster) settled(t *testing.T) (all []string) {
	t.Helper()
	same := 0
	await.NoError(t, "the objects of the cluster stay as they are", func() error {
		if now := c.inventory(t); !slices.Equal(now, all) {
			diff := cmp.Diff(all, now)
			all, same = now, 0
			return errors.New(diff)
		}
		if same++; same < 10 {
			return errors.New("it may be a moment")
		}
		return nil
	})
	return all
}

func title(o unstructured.Unstructured) string {
	if o.GetNamespace() == "" {
		return o.GetName()
	}
	return o.GetNamespace() + "/" + o.GetName()
}

// expect waits until the cluster has exactly these objects: an APIService is deleted some time after its definition.
func (c *cluster) expect(t *testing.T, what string, wanted []string) {
	t.Helper()
	wanted = slices.Sorted(slices.Values(wanted))
	await.NoError(t, what, func() error {
		if got := c.inventory(t); !slices.Equal(got, wanted) {
			return fmt.Errorf("the cluster has other objects (- wanted, + there):\n%s", cmp.Diff(wanted, got))
		}
		return nil
	})
}

// simulateNamespaceDeletion deletes the objects of terminating namespaces, and removes their finalizer, as the
// namespace controller does.
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
				inside := c.dynamic.Resource(resource).Namespace(namespace.Name)
				list, err := inside.List(ctx, metav1.ListOptions{})
				if err != nil {
					continue
				}
				for _, object := range list.Items {
					_ = inside.Delete(ctx, object.GetName(), metav1.DeleteOptions{})
				}
			}
			namespace.Spec.Finalizers = nil
			_, _ = core.CoreV1().Namespaces().Finalize(ctx, &namespace, metav1.UpdateOptions{})
		}
	}, 200*time.Millisecond)
}
