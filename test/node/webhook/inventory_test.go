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

// passing are objects that come and go by themselves.
var passing = []schema.GroupResource{
	{Resource: "events"},
	{Group: "events.k8s.io", Resource: "events"},
	{Group: "coordination.k8s.io", Resource: "leases"},
}

// inventory of the cluster: every object of every kind. It is nil while that cannot be told.
func (c *cluster) inventory(t *testing.T) (all []string) {
	t.Helper()
	lists, err := discovery.NewDiscoveryClientForConfigOrDie(c.Config()).ServerPreferredResources()
	if err != nil {
		return nil // a group that is just coming or going
	}
	for _, list := range discovery.FilteredBy(discovery.SupportsAllVerbs{Verbs: []string{"list"}}, lists) {
		version := must.Get(schema.ParseGroupVersion(list.GroupVersion))(t)
		for _, r := range list.APIResources {
			resource := version.WithResource(r.Name)
			if slices.Contains(passing, resource.GroupResource()) {
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

// settled inventory: the same for ten seconds, in which controllers make what belongs to namespaces.
func (c *cluster) settled(t *testing.T) []string {
	t.Helper()
	var before []string
	since := time.Now()
	await.True(t, "the objects of the cluster stay as they are", func() bool {
		now := c.inventory(t)
		if now == nil || !slices.Equal(now, before) {
			before, since = now, time.Now()
		}
		return time.Since(since) > 10*time.Second
	})
	return before
}

// expect exactly these objects, in a while.
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
