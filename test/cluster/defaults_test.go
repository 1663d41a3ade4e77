//go:build e2e

package cluster

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// The schema and the webhook set defaults of requests. With server-side apply, they belong to the manager of the
// requests, and applying the same again changes nothing.
func TestDefaultsOfRequests(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{claimKind, templateKind} {
		t.Run(kind, func(t *testing.T) {
			s := builtInOff.space(t)
			apply := func(manager string, requests ...any) (*object, error) {
				spec := map[string]any{"devices": map[string]any{"requests": requests}}
				if kind == templateKind {
					spec = map[string]any{"spec": spec}
				}
				o := s.move(&object{Object: map[string]any{"spec": spec}}, stored, kind, "a")
				return s.of(stored, kind).Apply(t.Context(), "a", o, metav1.ApplyOptions{FieldManager: manager})
			}
			request := func(more ...any) map[string]any {
				asked := map[string]any{"deviceClassName": "gpu.example.com"}
				for i := 0; i < len(more); i += 2 {
					asked[more[i].(string)] = more[i+1]
				}
				return map[string]any{"name": "gpu", "exactly": asked}
			}
			all := map[string]any{
				"name":    "all",
				"exactly": map[string]any{"deviceClassName": "c", "allocationMode": "All"},
			}
			first := must.Get(apply("first", request(), all))(t)
			whole := request("allocationMode", "ExactCount", "count", int64(1))
			path := strings.Split(strings.Repeat("spec ",
				map[string]int{claimKind: 1, templateKind: 2}[kind])+"devices requests",
				" ")
			equal(t, "requests", nested(first, path...), any([]any{whole, all}))

			again, err := apply("first", request(), all)
			if err != nil || again.GetResourceVersion() != first.GetResourceVersion() {
				t.Errorf("the same again: resource version %s after %s, %v", again.GetResourceVersion(),
					first.GetResourceVersion(), err)
			}
			if _, err := apply("second", request(), all); !apierrors.IsConflict(err) {
				t.Errorf("another manager without the defaults: want a conflict, got %v", err)
			}
			if _, err := apply("second", whole, all); err != nil {
				t.Errorf("another manager with the defaults: %v", err)
			}
			for _, entry := range s.get(t, stored, kind, "a").GetManagedFields() {
				fields := entry.FieldsV1.GetRawString()
				if !strings.HasSuffix(fields, `"f:devices":{"f:requests":{}}`+strings.Repeat("}", len(path)-1)) {
					t.Errorf("%s owns %s", entry.Manager, fields)
				}
			}
			// The immutable spec includes its defaults, whether or not a client sends them.
			o := s.get(t, stored, kind, "a")
			set(t, o, []any{request("allocationMode", "", "count", int64(0)), all}, path...)
			if _, err := s.of(stored, kind).Update(t.Context(), o, metav1.UpdateOptions{}); err != nil {
				t.Errorf("update with an empty mode and no count: %v", err)
			}
			equal(t, "requests", nested(s.get(t, stored, kind, "a"), path...), any([]any{whole, all}))
		})
	}
}
