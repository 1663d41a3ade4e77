//go:build node

package webhook

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// ephemeralResources change without any action of the test.
var ephemeralResources = []schema.GroupResource{
	{Resource: "events"},
	{Group: "events.k8s.io", Resource: "events"},
	{Group: "coordination.k8s.io", Resource: "leases"},
}

// inventory lists all objects of the cluster. It returns nil if that fails, for example while an API group is added.
func (c *cluster) inventory(t *testing.T) (all []string) {
	t.Helper()
	lists, err := discovery.NewDiscoveryClientForConfigOrDie(c.Config()).ServerPreferredResources()
	if err != nil {
		return nil // a group is being added or removed
	}
	for _, list := range discovery.FilteredBy(discovery.SupportsAllVerbs{Verbs: []string{"list"}}, lists) {
		version := must.Get(schema.ParseGroupVersion(list.GroupVersion))(t)
		for _, r := range list.APIResources {
			resource := version.WithResource(r.Name)
			if slices.Contains(ephemeralResources, resource.GroupResource()) {
				continue
			}
			objects, err := c.dynamic.Resource(resource).List(t.Context(), metav1.ListOptions{})
			if err != nil {
				return nil
			}
			for _, o := range objects.Items {
				all = append(all, resource.GroupResource().String()+" "+o.GetNamespace()+"/"+o.GetName())
			}
		}
	}
	slices.Sort(all)
	return all
}

// stableInventory waits until the inventory has not changed for ten seconds, because controllers create objects in new
// namespaces.
func (c *cluster) stableInventory(t *testing.T) []string {
	t.Helper()
	var before []string
	since := time.Now()
	await.True(t, "the objects of the cluster do not change", func() bool {
		now := c.inventory(t)
		if now == nil || !slices.Equal(now, before) {
			before, since = now, time.Now()
		}
		return time.Since(since) > 10*time.Second
	})
	return before
}

// expectInventory waits until the cluster has exactly these objects.
func (c *cluster) expectInventory(t *testing.T, what string, wanted []string) {
	t.Helper()
	wanted = slices.Sorted(slices.Values(wanted))
	await.NoError(t, what, func() error {
		if got := c.inventory(t); !slices.Equal(got, wanted) {
			return fmt.Errorf("the objects differ (-want +got):\n%s", cmp.Diff(wanted, got))
		}
		return nil
	})
}
