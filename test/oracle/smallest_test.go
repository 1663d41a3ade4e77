//go:build oracle

package oracle

import (
	"maps"
	"slices"
	"testing"

	"github.com/claimbridge/claimbridge/validation"
)

// smallest drops members and items of the objects for as long as the two sides disagree.
func smallest(t *testing.T, u *upstream, w *writeTree) (request validation.Request, difference string) {
	t.Helper()
	request = w.request(t)
	difference = compare(t, u, request).difference
	for again := true; again; {
		again = false
		for _, cut := range w.cuts() {
			undo := cut()
			if undo == nil {
				continue
			}
			smaller := w.request(t)
			if d := compare(t, u, smaller).difference; d != "" && d != another {
				request, difference, again = smaller, d, true
				break
			}
			undo()
		}
	}
	return request, difference
}

// cuts that make a write smaller. Each does nothing but once, and returns how to undo it.
func (w *writeTree) cuts() (cuts []func() (undo func())) {
	if w.indented {
		cuts = append(cuts, func() func() {
			w.indented = false
			return func() { w.indented = true }
		})
	}
	for _, o := range []tree{w.object, w.old} {
		for _, p := range places(o) {
			cuts = append(cuts, p.remove)
			if text, ok := p.value.(string); ok && len(text) > 20 {
				cuts = append(cuts, func() func() {
					p.set("x")
					return func() { p.set(text) }
				})
			}
		}
		if m, ok := o["metadata"].(tree); ok {
			for _, key := range slices.Sorted(maps.Keys(m)) {
				if key != "name" && key != "namespace" {
					cuts = append(cuts, memberPlaces(m, key, "metadata")[0].remove)
				}
			}
		}
	}
	return cuts
}
