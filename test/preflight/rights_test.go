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

// as somebody else.
func (i *installation) as(user string) *rest.Config {
	somebody := rest.CopyConfig(i.config)
	somebody.Impersonate = rest.ImpersonationConfig{UserName: user}
	return somebody
}

// Who may read nothing is told so, and never that all is well.
func (i *installation) expectUnknown(t *testing.T) {
	results := must.Get(preflight.Run(t.Context(), i.as("nobody"), preflight.Options{Group: i.group}))(t)
	for _, r := range results {
		if r.State() != "unknown" {
			t.Errorf("%s is %s for somebody who may read nothing: %v", r.Check.Name, r.State(), r.Findings)
		}
		for _, f := range r.Findings {
			if !strings.HasPrefix(f.What, `could not look: User "nobody" cannot `) ||
				!strings.HasPrefix(f.Remedy, "allow ") {
				t.Errorf("%s: %s: %s", r.Check.Name, f.What, f.Remedy)
			}
		}
	}
}

var rightsOfThePage = regexp.MustCompile(`<!-- rights:.*-->\n\n((?:    .*\n)+)`)

// The rights that the page lists are enough for all checks. A user who lacks one gets an unknown
// finding for the checks that need it, and no others.
func (i *installation) expectRightsOfThePage(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/preflight.md"))(t)
	text := rightsOfThePage.FindSubmatch(page)
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
	await.NoError(t, "have the rights", func() error {
		return i.findsAs("reader", "claims-can-be-read", "claims-can-be-written")
	})
	i.create(t, fmt.Sprintf(binding, "ClusterRole", "claimbridge-preflight-claims"))
	await.NoError(t, "have all rights", func() error { return i.findsAs("reader") })
}

// findsAs somebody these checks and no others, and none of them a problem.
func (i *installation) findsAs(user string, checks ...string) error {
	results, err := preflight.Run(context.Background(), i.as(user), preflight.Options{Group: i.group})
	var unknown []string
	for _, r := range results {
		if r.State() != "ok" {
			unknown = append(unknown, r.Check.Name)
		}
		if state := r.State(); state != "ok" && state != "unknown" {
			err = errors.Join(err, fmt.Errorf("%s: %v", r.Check.Name, r.Findings))
		}
	}
	slices.Sort(unknown)
	if !slices.Equal(unknown, checks) {
		err = errors.Join(err, fmt.Errorf("unknown are %v", unknown))
	}
	return err
}
