//go:build e2e

package cluster

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestWatchesBeginInEveryVersion checks that a resourceVersion has the same meaning in every version: a client can list
// in one version and watch in another. Current informers get their first list as events of a watch, up to a bookmark.
func TestWatchesBeginInEveryVersion(t *testing.T) {
	t.Parallel()
	s := withoutBuiltIn.space(t)
	for _, v := range versions {
		s.createWithStatus(t, s.typicalObject(t, v, claimKind, "of-"+v))
	}
	list := must.Get(s.claims("v1alpha1").List(t.Context(), metav1.ListOptions{}))(t)
	must.Get(s.claims("v1alpha2").Patch(t.Context(), "of-v1", types.MergePatchType,
		[]byte(`{"metadata":{"labels":{"b":"c"}}}`), metav1.PatchOptions{}))(t)
	for _, v := range versions {
		changes := must.Get(s.claims(v).Watch(t.Context(),
			metav1.ListOptions{ResourceVersion: list.GetResourceVersion()}))(t)
		defer changes.Stop()
		event := nextEvent(t, changes)
		if event.Type != watch.Modified {
			t.Errorf("%s: got event %s, want MODIFIED of the write after the list", v, event.Type)
		}
		equal(t, v, event.Object, any(s.get(t, v, claimKind, "of-v1")))

		initial := must.Get(s.claims(v).Watch(t.Context(), metav1.ListOptions{
			SendInitialEvents:    new(true),
			AllowWatchBookmarks:  true,
			ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
		}))(t)
		defer initial.Stop()
		for range versions {
			event := nextEvent(t, initial)
			o := event.Object.(*object)
			if event.Type != watch.Added {
				t.Errorf("%s: got event %s, want ADDED of existing objects", v, event.Type)
			}
			equal(t, v, o, s.get(t, v, claimKind, o.GetName()))
		}
		end := nextEvent(t, initial)
		if end.Type != watch.Bookmark ||
			end.Object.(*object).GetAnnotations()[metav1.InitialEventsAnnotationKey] != "true" {
			t.Errorf("%s: got event %v, want the bookmark after the initial events", v, end)
		}
	}
}
