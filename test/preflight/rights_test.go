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

// as returns the configuration of a user.
func (i *installation) as(user string) *rest.Config {
	config := rest.CopyConfig(i.config)
	config.Impersonate = rest.ImpersonationConfig{UserName: user}
	return config
}

// expectUnknown checks that a user without permissions gets only unknown results, with each reason once.
func (i *installation) expectUnknown(t *testing.T) {
	results := must.Get(preflight.Run(t.Context(), i.as("nobody"), preflight.Options{Group: i.group}))(t)
	var all []string
	for _, r := range results {
		if r.State != preflight.Unknown && r.State != preflight.Skipped {
			t.Errorf("%s is %s for a user without permissions: %v", r.Check, r.State, r.Reasons)
		}
		for _, reason := range r.Reasons {
			if !strings.Contains(reason, ` is forbidden: User "nobody" cannot `) {
				t.Errorf("%s: %s", r.Check, reason)
			}
		}
		all = append(all, r.Reasons...)
	}
	slices.Sort(all)
	if unique := slices.Compact(slices.Clone(all)); !slices.Equal(unique, all) {
		t.Errorf("reported twice: %s", strings.Join(all, "\n"))
	}
}

var permissionsOfPage = regexp.MustCompile(`<!-- rights:.*-->\n\n((?:    .*\n)+)`)

// expectPermissionsOfPage checks that the permissions on the page are enough for all checks. If a user lacks one, the
// checks that need it are unknown, and no others.
func (i *installation) expectPermissionsOfPage(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/preflight.md"))(t)
	text := permissionsOfPage.FindSubmatch(page)
	if text == nil {
		t.Fatal("the page has no rights")
	}
	i.create(t, strings.ReplaceAll(string(text[1]), "\n    ", "\n")[4:])
	const binding = `
apiVersion: rbac.authorization.k8s.io/v1
kind: %[1]sBinding
metadata: {name: %[2]s, namespace: claimbridge-system}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: %[1]s, name: %[2]s}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: reader}]
`
	i.create(t, fmt.Sprintf(binding, "ClusterRole", "claimbridge-preflight-reader"))
	i.create(t, fmt.Sprintf(binding, "Role", "claimbridge-preflight-reader"))
	await.NoError(t, "have the permissions", func() error {
		return i.expectAs("reader", "claims-can-be-read", "claims-can-be-written", "invalid-claims-are-denied")
	})
	i.create(t, fmt.Sprintf(binding, "ClusterRole", "claimbridge-preflight-claims"))
	await.NoError(t, "have all permissions", func() error { return i.expectAs("reader") })
}

// expectAs checks that exactly these checks are not ok for a user, and that none of them is a problem.
func (i *installation) expectAs(user string, checks ...string) error {
	results, err := preflight.Run(context.Background(), i.as(user), preflight.Options{Group: i.group})
	var unknown []string
	for _, r := range results {
		if r.State != preflight.OK {
			unknown = append(unknown, r.Check)
		}
		if r.State != preflight.OK && r.State != preflight.Unknown {
			err = errors.Join(err, fmt.Errorf("%s: %v", r.Check, r.Reasons))
		}
	}
	slices.Sort(unknown)
	if !slices.Equal(unknown, checks) {
		err = errors.Join(err, fmt.Errorf("unknown are %v", unknown))
	}
	return err
}
