//go:build e2e

package cluster

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Long lists that a schema rejects must not reach the schema, where an API server compares each error with each other
// one: the largest list would keep it busy for hours. The mutating webhook rejects them, in every version whose spec
// has lists.
func TestLargeListsDoNotReachTheSchema(t *testing.T) {
	t.Parallel()
	asked := func(name string, value any) map[string]any { // where a request of the version has it
		return map[string]any{
			"requests": []any{
				map[string]any{
					"name":            "gpu",
					"deviceClassName": "c",
					name:              value,
					"exactly":         map[string]any{"deviceClassName": "c", name: value},
				},
			},
		}
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
				if version == "v1alpha3" && slices.Contains([]string{
					"derived attributes", "fractions", "signs", "long names", "capacities",
				}, what) {
					continue // had no such fields
				}
				t.Run(version+"/"+kind+"/"+what, func(t *testing.T) {
					s := builtInOff.space(t)
					spec := map[string]any{"devices": devices}
					if kind == templateKind {
						spec = map[string]any{"spec": spec}
					}
					begun := time.Now()
					_, err := s.of(version, kind).Create(t.Context(),
						s.move(&object{Object: map[string]any{"spec": spec}}, version, kind, "a"),
						metav1.CreateOptions{})
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

// A spec or status that nests too deep for a ConversionReview is rejected. Accepted objects can be read and listed in
// every version.
func TestNoClaimNestsTooDeepToBeListed(t *testing.T) {
	s := builtInOff.space(t)
	ask := func(version, method, path, body, contentType string) (int, string) {
		a := api{space: s, apiVersion: s.group + "/" + version}
		return a.ask(t, method, path, body, map[string]string{"Content-Type": contentType})
	}
	entry := func(depth int) string {
		return fmt.Sprintf(`{"opaque":{"driver":"gpu.example.com","parameters":{"a":%s%s}}}`,
			strings.Repeat("[", depth), strings.Repeat("]", depth))
	}
	claim := func(name string, depth int) string {
		return fmt.Sprintf(`{"apiVersion":%q,"kind":"ResourceClaim","metadata":{"name":%q},`+
			`"spec":{"devices":{"requests":[{"name":"claim",`+
			`"deviceClassName":"gpu","allocationMode":"ExactCount","count":1}],"config":[%s]}}}`, s.group+
			"/v1alpha3", name, entry(depth))
	}
	allocated := func(depth int) string {
		return `{"status":{"allocation":{"devices":{"results":[{"request":"claim","driver":"gpu.example.com",` +
			`"pool":"p","device":"d"}],"config":[` +
			strings.Replace(entry(depth), "{", `{"source":"FromClaim","requests":["claim"],`, 1) + `]}}}}`
	}
	for _, depth := range []int{2000, 9985, 9991, 9992, 12000} {
		if code, answer := ask("v1alpha3", http.MethodPost, "", claim("deep", depth), "application/json"); code < 400 {
			t.Errorf("%d levels are let in: %d", depth, code)
		} else if depth < 9990 && (code != http.StatusUnprocessableEntity ||
			!strings.Contains(answer, "nesting-is-bounded")) {
			t.Errorf("%d levels: %d %.300s", depth, code, answer)
		}
	}
	if code, answer := ask("v1alpha3", http.MethodPost, "", claim("good", 900),
		"application/json"); code != http.StatusCreated {
		t.Fatalf("%d %.300s", code, answer)
	}
	for depth, want := range map[int]int{2000: http.StatusUnprocessableEntity, 900: http.StatusOK} {
		code, answer := ask("v1alpha3", http.MethodPatch, "/good/status", allocated(depth),
			"application/merge-patch+json")
		if code != want {
			t.Errorf("a status of %d levels: %d %.300s", depth, code, answer)
		}
	}
	for _, version := range versions {
		for _, path := range []string{"/good", ""} {
			if code, answer := ask(version, http.MethodGet, path, "", ""); code != http.StatusOK {
				t.Errorf("%s%s: %d %.300s", version, path, code, answer)
			}
		}
	}
}
