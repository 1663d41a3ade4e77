//go:build e2e

package preflight

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/built"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/shell"
)

var applyCommand = regexp.MustCompile(`(?m)^    (claimbridge manifests .*) (\| kubectl apply .*)$`)

// expectRepairable checks that the command of the page that applies the manifests again repairs an installation.
func (i *installation) expectRepairable(t *testing.T, p *plane.Plane) {
	page := must.Get(os.ReadFile("../../docs/preflight.md"))(t)
	command := applyCommand.FindStringSubmatch(string(page))
	if command == nil {
		t.Fatal("docs/preflight.md has no command that applies the manifests again")
	}
	all := faults(t)
	for _, name := range []string{
		"the service is missing", "no validation", "validation is optional", "a status without validation",
		"no conversion", "an older version is stored", "the CA of another installation in a definition", "a wrong path",
	} {
		t.Run(name, func(t *testing.T) {
			t.Cleanup(func() { i.restore(t) })
			if all[name].Do == nil {
				t.Fatal("unknown fault")
			}
			i.cause(t, all[name])
			user := shell.New(t, p.KubeconfigOf(t, plane.Administrator.Name, "default"), filepath.Dir(built.Claimbridge(t)))
			ca := filepath.Join(user.Home, "ca.crt")
			must.Do(t, os.WriteFile(ca, i.authority.Certificate, 0o600))
			variables := fmt.Sprintf("group=%s image=%s certificates=%s\n", i.group, config.DefaultImage, config.Files)
			flags := fmt.Sprintf(" --ca-file=%s --versions=%s ", ca, strings.Join(served, ","))
			if _, err := user.Try(t.Context(), variables+command[1]+flags+command[2]); err != nil {
				t.Fatal(err)
			}
			want := fault{}
			if name == "an older version is stored" {
				// The command does not store the objects again.
				want = fault{
					Want:     []string{"warning stored-versions-are-migrated " + crdName("claims")},
					Contains: "objects may be stored in v1alpha2",
				}
			}
			i.expect(t, want)
		})
	}
}

// crdName returns the name of a definition in the reasons of preflight.
func crdName(alias string) string { return aliases[alias].kind + " " + aliases[alias].name }
