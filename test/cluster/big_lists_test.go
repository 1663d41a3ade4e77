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
	fractions := map[string]any{}
	for i := range 100_000 {
		fractions[fmt.Sprintf("k%d", i)] = 1.5
	}
	capacity := map[string]any{"capacity": map[string]any{"requests": fractions}}
	for _, version := range versions[slices.Index(versions, "v1alpha3"):] {
		for _, kind := range []string{claimKind, templateKind} {
			for what, devices := range map[string]map[string]any{
				"empty requests":     {"requests": items(100_000, func(int) any { return map[string]any{} })},
				"numbers":            {"constraints": items(100_000, func(int) any { return int64(1) })},
				"null configuration": {"config": items(100_000, func(int) any { return nil })},
				"fractions":          {"requests": []any{map[string]any{"name": "gpu", "exactly": capacity, "capacity": capacity["capacity"]}}},
			} {
				if what == "fractions" && version == "v1alpha3" {
					continue // had no capacities
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
