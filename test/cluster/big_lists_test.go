//go:build e2e

package cluster

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Lists of what a schema refuses never come to the schema, where an API server compares each error with each other one: as many as fit into a body
// would keep it busy for hours. They are refused by whoever sets the defaults, in every version whose spec has lists.
func TestBigListsNeverComeToTheSchema(t *testing.T) {
	t.Parallel()
	asked := func(name string, value any) map[string]any { // where a request of the version has it
		return map[string]any{"requests": []any{map[string]any{"name": "gpu", "deviceClassName": "c", name: value, "exactly": map[string]any{"deviceClassName": "c", name: value}}}}
	}
	capacity := func(n int, key string, value any) map[string]any {
		requests := map[string]any{}
		for i := range n {
			requests[fmt.Sprintf("%s%d", key, i)] = value
		}
		return asked("capacity", map[string]any{"requests": requests})
	}
	empty, null := func(int) any { return map[string]any{} }, func(int) any { return nil }
	for _, version := range versions[slices.Index(versions, "v1alpha3"):] {
		for _, kind := range []string{claimKind, templateKind} {
			for what, devices := range map[string]map[string]any{
				"empty requests":     {"requests": items(100_000, empty)},
				"numbers":            {"constraints": items(100_000, func(int) any { return int64(1) })},
				"null configuration": {"config": items(100_000, null)},
				"null tolerations":   asked("tolerations", items(1000, null)),
				"derived attributes": asked("derivedAttributes", items(1000, empty)),
				"fractions":          capacity(50_000, "k", 1.5),
				"signs":              capacity(50_000, "k", "+"),
				"long names":         capacity(240, strings.Repeat("k", 5900), 1.5),
				"capacities":         capacity(50_000, "k", "1"),
			} {
				if version == "v1alpha3" && slices.Contains([]string{"derived attributes", "fractions", "signs", "long names", "capacities"}, what) {
					continue // had no such fields
				}
				t.Run(version+"/"+kind+"/"+what, func(t *testing.T) {
					s := builtInOff.space(t)
					spec := map[string]any{"devices": devices}
					if kind == templateKind {
						spec = map[string]any{"spec": spec}
					}
					begun := time.Now()
					_, err := s.of(version, kind).Create(t.Context(), s.move(&object{Object: map[string]any{"spec": spec}}, version, kind, "a"), metav1.CreateOptions{})
					if err == nil || !strings.Contains(err.Error(), `"default.claimbridge.dev" denied`) {
						t.Errorf("%.300v", err)
					}
					t.Logf("refused after %s", time.Since(begun))
				})
			}
		}
	}
}

func items(n int, item func(int) any) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = item(i)
	}
	return list
}
