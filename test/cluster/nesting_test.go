//go:build e2e

package cluster

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// What nests so deep that a conversion of it could not be asked for is not let in, neither in the spec nor in the status. What is
// let in can be read and listed in every version.
func TestNoClaimNestsTooDeepToBeListed(t *testing.T) {
	s := builtInOff.space(t)
	ask := func(version, method, path, body, contentType string) (int, string) {
		a := api{space: s, apiVersion: s.group + "/" + version}
		return a.ask(t, method, path, body, map[string]string{"Content-Type": contentType})
	}
	entry := func(depth int) string {
		return fmt.Sprintf(`{"opaque":{"driver":"gpu.example.com","parameters":{"a":%s%s}}}`, strings.Repeat("[", depth), strings.Repeat("]", depth))
	}
	claim := func(name string, depth int) string {
		return fmt.Sprintf(`{"apiVersion":%q,"kind":"ResourceClaim","metadata":{"name":%q},"spec":{"devices":{"requests":[{"name":"claim",`+
			`"deviceClassName":"gpu","allocationMode":"ExactCount","count":1}],"config":[%s]}}}`, s.group+"/v1alpha3", name, entry(depth))
	}
	allocated := func(depth int) string {
		return `{"status":{"allocation":{"devices":{"results":[{"request":"claim","driver":"gpu.example.com","pool":"p","device":"d"}],"config":[` +
			strings.Replace(entry(depth), "{", `{"source":"FromClaim","requests":["claim"],`, 1) + `]}}}}`
	}
	for _, depth := range []int{2000, 9985, 9991, 9992, 12000} {
		if code, answer := ask("v1alpha3", http.MethodPost, "", claim("deep", depth), "application/json"); code < 400 {
			t.Errorf("%d levels are let in: %d", depth, code)
		} else if depth < 9990 && (code != http.StatusUnprocessableEntity || !strings.Contains(answer, "nesting-is-bounded")) {
			t.Errorf("%d levels: %d %.300s", depth, code, answer)
		}
	}
	if code, answer := ask("v1alpha3", http.MethodPost, "", claim("good", 900), "application/json"); code != http.StatusCreated {
		t.Fatalf("%d %.300s", code, answer)
	}
	for depth, want := range map[int]int{2000: http.StatusUnprocessableEntity, 900: http.StatusOK} {
		if code, answer := ask("v1alpha3", http.MethodPatch, "/good/status", allocated(depth), "application/merge-patch+json"); code != want {
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
