//go:build e2e

package cluster

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestDefaultsOfRequests checks that the schema and the webhook set defaults of requests. With server-side apply, the
// manager of the requests owns them, and applying the same configuration again changes nothing.
func TestDefaultsOfRequests(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{claimKind, templateKind} {
		t.Run(kind, func(t *testing.T) {
			s := withoutBuiltIn.space(t)
			apply := func(manager string, requests ...any) (*object, error) {
				spec := map[string]any{"devices": map[string]any{"requests": requests}}
				if kind == templateKind {
					spec = map[string]any{"spec": spec}
				}
				o := s.inNamespace(&object{Object: map[string]any{"spec": spec}}, stored, kind, "a")
				return s.resource(stored, kind).Apply(t.Context(), "a", o, metav1.ApplyOptions{FieldManager: manager})
			}
			request := func(fields ...any) map[string]any {
				request := map[string]any{"deviceClassName": "gpu.example.com"}
				for i := 0; i < len(fields); i += 2 {
					request[fields[i].(string)] = fields[i+1]
				}
				return map[string]any{"name": "gpu", "exactly": request}
			}
			allMode := map[string]any{
				"name":    "all",
				"exactly": map[string]any{"deviceClassName": "c", "allocationMode": "All"},
			}
			first := must.Get(apply("first", request(), allMode))(t)
			withDefaults := request("allocationMode", "ExactCount", "count", int64(1))
			path := strings.Split(strings.Repeat("spec ",
				map[string]int{claimKind: 1, templateKind: 2}[kind])+"devices requests",
				" ")
			equal(t, "requests", nested(first, path...), any([]any{withDefaults, allMode}))

			again, err := apply("first", request(), allMode)
			if err != nil || again.GetResourceVersion() != first.GetResourceVersion() {
				t.Errorf("second apply: got resource version %s and error %v, want %s", again.GetResourceVersion(), err,
					first.GetResourceVersion())
			}
			if _, err := apply("second", request(), allMode); !apierrors.IsConflict(err) {
				t.Errorf("apply by another manager without the defaults: got error %v, want a conflict", err)
			}
			if _, err := apply("second", withDefaults, allMode); err != nil {
				t.Errorf("apply by another manager with the defaults: got %v, want no error", err)
			}
			for _, entry := range s.get(t, stored, kind, "a").GetManagedFields() {
				fields := entry.FieldsV1.GetRawString()
				if !strings.HasSuffix(fields, `"f:devices":{"f:requests":{}}`+strings.Repeat("}", len(path)-1)) {
					t.Errorf("managed fields of %s: got %s, want the list of requests", entry.Manager, fields)
				}
			}
			// The immutable spec includes its defaults, whether or not a client sends them.
			o := s.get(t, stored, kind, "a")
			set(t, o, []any{request("allocationMode", "", "count", int64(0)), allMode}, path...)
			if _, err := s.resource(stored, kind).Update(t.Context(), o, metav1.UpdateOptions{}); err != nil {
				t.Errorf("update with an empty mode and no count: got %v, want no error", err)
			}
			equal(t, "requests", nested(s.get(t, stored, kind, "a"), path...), any([]any{withDefaults, allMode}))
		})
	}
}
