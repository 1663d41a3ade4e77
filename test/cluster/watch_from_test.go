//go:build e2e

package cluster

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// A resourceVersion has the same meaning in every version: a client can list in one version and watch in another.
// Current informers get their first list as events of a watch, up to a bookmark.
func TestWatchesBeginInEveryVersion(t *testing.T) {
	t.Parallel()
	s := builtInOff.space(t)
	for _, v := range versions {
		s.createWithStatus(t, s.typical(t, v, claimKind, "of-"+v))
	}
	list := must.Get(s.claims("v1alpha1").List(t.Context(), metav1.ListOptions{}))(t)
	must.Get(s.claims("v1alpha2").Patch(t.Context(), "of-v1", types.MergePatchType,
		[]byte(`{"metadata":{"labels":{"b":"c"}}}`), metav1.PatchOptions{}))(t)
	for _, v := range versions {
		from := must.Get(s.claims(v).Watch(t.Context(),
			metav1.ListOptions{ResourceVersion: list.GetResourceVersion()}))(t)
		defer from.Stop()
		event := next(t, from)
		if event.Type != watch.Modified {
			t.Errorf("%s: %s, want the write that came after the list", v, event.Type)
		}
		equal(t, v, event.Object, any(s.get(t, v, claimKind, "of-v1")))

		all := must.Get(s.claims(v).Watch(t.Context(), metav1.ListOptions{
			SendInitialEvents:    new(true),
			AllowWatchBookmarks:  true,
			ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
		}))(t)
		defer all.Stop()
		for range versions {
			event := next(t, all)
			o := event.Object.(*object)
			if event.Type != watch.Added {
				t.Errorf("%s: %s, want the objects that are there", v, event.Type)
			}
			equal(t, v, o, s.get(t, v, claimKind, o.GetName()))
		}
		end := next(t, all)
		if end.Type != watch.Bookmark ||
			end.Object.(*object).GetAnnotations()[metav1.InitialEventsAnnotationKey] != "true" {
			t.Errorf("%s: %v, want the bookmark at the end", v, end)
		}
	}
}
