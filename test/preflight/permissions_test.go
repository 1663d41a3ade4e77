//go:build e2e

package preflight

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/preflight"
)

// configFor returns the client configuration of a user.
func (i *installation) configFor(user string) *rest.Config {
	config := rest.CopyConfig(i.config)
	config.Impersonate = rest.ImpersonationConfig{UserName: user}
	return config
}

// expectAllUnknown checks that a user without permissions gets only unknown or skipped results, and each reason once.
func (i *installation) expectAllUnknown(t *testing.T) {
	results := must.Get(preflight.Run(t.Context(), i.configFor("no-permissions"), preflight.Options{Group: i.group}))(t)
	var reasons []string
	for _, r := range results {
		if r.State != preflight.Unknown && r.State != preflight.Skipped {
			t.Errorf("%s: got %s, want unknown or skipped: %v", r.Check, r.State, r.Reasons)
		}
		for _, reason := range r.Reasons {
			const want = ` is forbidden: User "no-permissions" cannot `
			if !strings.Contains(reason, want) {
				t.Errorf("%s: got the reason %q, want it to contain %q", r.Check, reason, want)
			}
		}
		reasons = append(reasons, r.Reasons...)
	}
	slices.Sort(reasons)
	if unique := slices.Compact(slices.Clone(reasons)); !slices.Equal(unique, reasons) {
		t.Errorf("duplicate reasons:\n%s", strings.Join(reasons, "\n"))
	}
}

var documentedPermissions = regexp.MustCompile(`<!-- permissions:.*-->\n\n((?:    .*\n)+)`)

// expectDocumentedPermissions checks that the permissions in docs/preflight.md are enough for all checks. Without those
// for claims, only the checks that need them are unknown.
func (i *installation) expectDocumentedPermissions(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/preflight.md"))(t)
	match := documentedPermissions.FindSubmatch(page)
	if match == nil {
		t.Fatalf("docs/preflight.md has no permissions that match %s", documentedPermissions)
	}
	roles := strings.TrimPrefix(strings.ReplaceAll("\n"+string(match[1]), "\n    ", "\n"), "\n")
	i.createYAML(t, roles)
	const binding = `
apiVersion: rbac.authorization.k8s.io/v1
kind: %[1]sBinding
metadata: {name: %[2]s, namespace: claimbridge-system}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: %[1]s, name: %[2]s}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: reader}]
`
	i.createYAML(t, fmt.Sprintf(binding, "ClusterRole", "claimbridge-preflight-reader"))
	i.createYAML(t, fmt.Sprintf(binding, "Role", "claimbridge-preflight-reader"))
	await.NoError(t, "the permissions except those for claims", func() error {
		return i.checkNotOK("reader", "claims-can-be-read", "claims-can-be-written", "invalid-claims-are-denied")
	})
	i.createYAML(t, fmt.Sprintf(binding, "ClusterRole", "claimbridge-preflight-claims"))
	await.NoError(t, "all permissions", func() error { return i.checkNotOK("reader") })
}

// checkNotOK returns an error unless these checks are unknown for a user, and all others are ok.
func (i *installation) checkNotOK(user string, want ...string) error {
	results, err := preflight.Run(context.Background(), i.configFor(user), preflight.Options{Group: i.group})
	var got []string
	for _, r := range results {
		if r.State != preflight.OK {
			got = append(got, r.Check)
		}
		if r.State != preflight.OK && r.State != preflight.Unknown {
			err = errors.Join(err, fmt.Errorf("%s: got %s, want ok or unknown: %v", r.Check, r.State, r.Reasons))
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		err = errors.Join(err, fmt.Errorf("checks that are not ok: got %v, want %v", got, want))
	}
	return err
}
