package certs

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// A CA is in the Secret before it is in a bundle. A failure before the Secret is saved ends the round. A failed write
// of a caBundle does not. A conflict is not an error.
func TestRound(t *testing.T) {
	const crd = "customresourcedefinitions/x"
	const validates = "validatingwebhookconfigurations/hooks"
	const mutates = "mutatingwebhookconfigurations/hooks"
	put := "PUT " + secretPath
	create := "POST /api/v1/namespaces/ns/secrets"
	patchCRD := "PATCH " + crdPath
	patchHooks := "PATCH " + validatesPath
	// An object that does not exist matches. While no CA signs, all objects match.
	allMatch := map[string]bool{crd: true, validates: true, mutates: true}
	tests := map[string]struct {
		fail    map[string]int
		missing string // an object that does not exist
		wrote   []string
		// bundles has the objects that the metric ca_bundle_mismatch reports, and whether their bundles match. It is
		// empty if the round ended before that.
		bundles map[string]bool
		signs   bool
		changed bool
		err     string
	}{
		"the first CA is saved, published and signs": {
			wrote:   []string{put, patchCRD, patchHooks},
			bundles: allMatch,
			signs:   true,
			changed: true,
		},
		"a missing Secret is created": {
			missing: secretPath,
			wrote:   []string{create, patchCRD, patchHooks},
			bundles: allMatch,
			signs:   true,
			changed: true,
		},
		"the error about a Secret that cannot be created has a remedy": {
			missing: secretPath, fail: map[string]int{create: 403}, bundles: allMatch, err: "create it empty",
		},
		"a Secret that may not be written": {
			fail: map[string]int{put: 403}, bundles: allMatch, err: "write the Secret ns/ca",
		},
		"another replica created the Secret": {
			missing: secretPath, fail: map[string]int{create: 409}, bundles: allMatch, changed: true,
		},
		"another replica wrote the Secret": {fail: map[string]int{put: 409}, bundles: allMatch, changed: true},
		"a Secret that cannot be read": {
			fail: map[string]int{"GET " + secretPath: 500},
			err:  "read the Secret ns/ca",
		},
		"no CA is generated while an object cannot be read": {
			fail: map[string]int{"GET " + crdPath: 403},
			err:  "cannot generate a CA before all caBundles can be read",
		},
		"an object that does not exist is not written, and matches": {
			missing: crdPath, wrote: []string{put, patchHooks}, bundles: allMatch, signs: true, changed: true,
		},
		"an object with a concurrent write": {
			fail:    map[string]int{patchCRD: 409},
			wrote:   []string{put, patchHooks},
			bundles: map[string]bool{validates: true, mutates: true},
			signs:   true,
			changed: true,
		},
		"an object that may not be written": {
			fail:    map[string]int{patchCRD: 403},
			wrote:   []string{put, patchHooks},
			bundles: map[string]bool{crd: false, validates: true, mutates: true},
			signs:   true,
			changed: true,
			err:     crd,
		},
		"a configuration that cannot be read is reported": {
			fail: map[string]int{"GET " + mutatesPath: 500},
			err:  mutates,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			shared, server := newTestShared(t)
			for call, code := range test.fail {
				server.failures[call] = code
			}
			delete(server.objects, test.missing)
			changed, err := shared.round(t.Context())
			text := errorText(err)
			if changed != test.changed || test.err == "" && err != nil || !strings.Contains(text, test.err) {
				t.Errorf("changed %v, error %q; want %v, %q", changed, text, test.changed, test.err)
			}
			if diff := cmp.Diff(test.wrote, server.writes); diff != "" {
				t.Errorf("written (-want +got):\n%s", diff)
			}
			want := test.bundles
			if want == nil {
				want = map[string]bool{}
			}
			if diff := cmp.Diff(want, shared.bundleMetrics(t)); diff != "" {
				t.Errorf("bundles (-want +got):\n%s", diff)
			}
			if got := shared.CA() != nil; got != test.signs {
				t.Errorf("signs: %v, want %v", got, test.signs)
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// In the final state, rounds write nothing, and other data in the Secret is unchanged.
func TestRoundsConverge(t *testing.T) {
	shared, server := newTestShared(t)
	for range 2 {
		must.Get(shared.round(t.Context()))(t)
	}
	server.writes = nil
	if changed, err := shared.round(t.Context()); changed || err != nil || server.writes != nil {
		t.Errorf("changed %v, error %v, wrote %q", changed, err, server.writes)
	}
	if server.objects[secretPath]["data"].(map[string]any)["mine"] != "eA==" {
		t.Error("an unrelated key was removed from the Secret")
	}
}

func TestSaveRemovesObsoleteKeys(t *testing.T) {
	shared, server := newTestShared(t)
	must.Get(shared.round(t.Context()))(t)
	secret, current := must.Get2(shared.load(t.Context()))(t)
	secret.Data[keyNextCert] = []byte("obsolete")
	must.Do(t, shared.save(t.Context(), secret, current))
	if _, exists := server.objects[secretPath]["data"].(map[string]any)[keyNextCert]; exists {
		t.Error("a key that the state no longer has is still in the Secret")
	}
}
