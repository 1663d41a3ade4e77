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

// TestLargeListsDoNotReachTheSchema checks that the mutating webhook rejects long invalid lists, in every version whose
// spec has lists. For errors of the schema, an API server compares each error with each other one, and the largest list
// would keep it busy for hours.
func TestLargeListsDoNotReachTheSchema(t *testing.T) {
	t.Parallel()
	withField := func(name string, value any) map[string]any { // in the place of each version
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
		return withField("capacity", map[string]any{"requests": requests})
	}
	empty, null := func(int) any { return map[string]any{} }, func(int) any { return nil }
	withLists := versions[slices.Index(versions, "v1alpha3"):]
	if testing.Short() {
		withLists = []string{"v1alpha3", stored}
	}
	for _, version := range withLists {
		for _, kind := range []string{claimKind, templateKind} {
			for what, devices := range map[string]map[string]any{
				"empty requests":     {"requests": items(100_000, empty)},
				"numbers":            {"constraints": items(100_000, func(int) any { return int64(1) })},
				"null configuration": {"config": items(100_000, null)},
				"null tolerations":   withField("tolerations", items(1000, null)),
				"derived attributes": withField("derivedAttributes", items(1000, empty)),
				"fractions":          capacity(50_000, "k", 1.5),
				"signs":              capacity(50_000, "k", "+"),
				"long names":         capacity(240, strings.Repeat("k", 5900), 1.5),
				"capacities":         capacity(50_000, "k", "1"),
			} {
				if version == "v1alpha3" && slices.Contains([]string{
					"derived attributes", "fractions", "signs", "long names", "capacities",
				}, what) {
					continue // v1alpha3 has no such fields
				}
				t.Run(version+"/"+kind+"/"+what, func(t *testing.T) {
					s := withoutBuiltIn.space(t)
					spec := map[string]any{"devices": devices}
					if kind == templateKind {
						spec = map[string]any{"spec": spec}
					}
					started := time.Now()
					_, err := s.resource(version, kind).Create(t.Context(),
						s.inNamespace(&object{Object: map[string]any{"spec": spec}}, version, kind, "a"),
						metav1.CreateOptions{})
					if err == nil || !strings.Contains(err.Error(), `"default.claimbridge.dev" denied`) {
						t.Errorf("got error %.300v, want one of the mutating webhook", err)
					}
					t.Logf("rejected after %s", time.Since(started))
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

// TestNoClaimNestsTooDeepToBeListed checks that a spec or status that nests too deep for a ConversionReview is
// rejected, and that accepted objects can be read and listed in every version.
func TestNoClaimNestsTooDeepToBeListed(t *testing.T) {
	s := withoutBuiltIn.space(t)
	request := func(version, method, path, body, contentType string) (int, string) {
		a := api{space: s, apiVersion: s.group + "/" + version}
		return a.request(t, method, path, body, map[string]string{"Content-Type": contentType})
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
		if code, body := request("v1alpha3", http.MethodPost, "", claim("deep", depth), "application/json"); code < 400 {
			t.Errorf("%d levels: got status %d, want an error", depth, code)
		} else if depth < 9990 && (code != http.StatusUnprocessableEntity ||
			!strings.Contains(body, "nesting-is-bounded")) {
			t.Errorf("%d levels: got %d %.300s, want 422 and nesting-is-bounded", depth, code, body)
		}
	}
	if code, body := request("v1alpha3", http.MethodPost, "", claim("good", 900),
		"application/json"); code != http.StatusCreated {
		t.Fatalf("create with 900 levels: got %d %.300s, want 201", code, body)
	}
	for depth, want := range map[int]int{2000: http.StatusUnprocessableEntity, 900: http.StatusOK} {
		code, body := request("v1alpha3", http.MethodPatch, "/good/status", allocated(depth),
			"application/merge-patch+json")
		if code != want {
			t.Errorf("status with %d levels: got %d %.300s, want %d", depth, code, body, want)
		}
	}
	for _, version := range versions {
		for _, path := range []string{"/good", ""} {
			if code, body := request(version, http.MethodGet, path, "", ""); code != http.StatusOK {
				t.Errorf("GET %s%s: got %d %.300s, want 200", version, path, code, body)
			}
		}
	}
}
