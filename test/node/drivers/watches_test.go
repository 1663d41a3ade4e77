//go:build node && aggregated

package drivers

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// watchers keep what they see of claims in a version, as controllers do: they list, watch, and do both again when a watch ends.
type watchers struct {
	stores         map[string]cache.Store
	lists, watches atomic.Int64
	refused        atomic.Int64
}

// watch with so many informers of each of the later versions.
func (c *cluster) watch(t *testing.T, config *rest.Config, each int) *watchers {
	t.Helper()
	w := &watchers{stores: map[string]cache.Store{}}
	config = rest.CopyConfig(config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return counted{next, w} })
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	t.Cleanup(cancel)
	for i := range each {
		for _, version := range []string{"v1beta1", "v1beta2"} {
			client, err := dynamic.NewForConfig(config)
			if err != nil {
				t.Fatal(err)
			}
			informer := dynamicinformer.NewFilteredDynamicInformer(client, resource(version), "default", 0, cache.Indexers{}, nil).Informer()
			w.stores[fmt.Sprintf("%s %d", version, i)] = informer.GetStore()
			go informer.RunWithContext(ctx)
			if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
				t.Fatal("the informer does not begin")
			}
		}
	}
	return w
}

func resource(version string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "resource.k8s.io", Version: version, Resource: "resourceclaims"}
}

// counted requests of informers.
type counted struct {
	http.RoundTripper
	*watchers
}

func (c counted) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Query().Get("watch") == "true" {
		c.watches.Add(1)
	} else {
		c.lists.Add(1)
	}
	answer, err := c.RoundTripper.RoundTrip(r)
	if err != nil || answer.StatusCode >= http.StatusInternalServerError || answer.StatusCode == http.StatusTooManyRequests {
		c.refused.Add(1)
	}
	return answer, err
}

// see all that v1 has, and nothing else, each object as it is now.
func (w *watchers) see(t *testing.T, c *cluster) {
	t.Helper()
	want := map[string]string{}
	for _, claim := range c.stored(t) {
		want[claim.GetName()] = claim.GetResourceVersion()
	}
	for name, store := range w.stores {
		c.eventually(t, name+" sees what v1 has", func() string {
			seen := map[string]string{}
			for _, object := range store.List() {
				if claim, err := meta.Accessor(object); err == nil {
					seen[claim.GetName()] = claim.GetResourceVersion()
				}
			}
			if maps.Equal(want, seen) {
				return ""
			}
			return cmp.Diff(want, seen)
		})
	}
	t.Logf("%d informers see the %d claims of v1; they have listed %d times and watched %d times, %d of which were refused",
		len(w.stores), len(want), w.lists.Load(), w.watches.Load(), w.refused.Load())
}
