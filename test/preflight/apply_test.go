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

var documentedCommands = regexp.MustCompile(`(?m)^    (claimbridge manifests .*) (\| kubectl apply .*)$`)

// expectManifestsRepair checks that the command in docs/preflight.md that applies the manifests again removes faults.
func (i *installation) expectManifestsRepair(t *testing.T, p *plane.Plane) {
	page := must.Get(os.ReadFile("../../docs/preflight.md"))(t)
	match := documentedCommands.FindStringSubmatch(string(page))
	if match == nil {
		t.Fatalf("docs/preflight.md has no command that matches %s", documentedCommands)
	}
	manifestsCommand := match[1]
	applyCommand := match[2]
	all := readFaults(t)
	for _, name := range []string{
		"the service is missing", "no validation", "validation is optional", "a status without validation",
		"no conversion", "an older version is stored", "the CA of another installation in a definition", "a wrong path",
	} {
		t.Run(name, func(t *testing.T) {
			t.Cleanup(func() { i.restore(t) })
			f, ok := all[name]
			if !ok {
				t.Fatal("no such fault in testdata/faults")
			}
			i.cause(t, f)
			user := shell.New(t, p.KubeconfigOf(t, plane.Administrator.Name, "default"), filepath.Dir(built.Claimbridge(t)))
			caFile := filepath.Join(user.Home, "ca.crt")
			must.Do(t, os.WriteFile(caFile, i.authority.Certificate, 0o600))
			variables := fmt.Sprintf("group=%s image=%s certificates=%s\n", i.group, config.DefaultImage, config.Files)
			flags := fmt.Sprintf(" --ca-file=%s --versions=%s ", caFile, strings.Join(servedVersions, ","))
			if _, err := user.Try(t.Context(), variables+manifestsCommand+flags+applyCommand); err != nil {
				t.Fatal(err)
			}
			want := fault{}
			if name == "an older version is stored" {
				// The command does not store the objects again, so they are still in the older version.
				want = fault{
					Want:     []string{"warning stored-versions-are-migrated " + aliases["claims"].reason()},
					Contains: "objects may be stored in v1alpha2",
				}
			}
			i.expect(t, want)
		})
	}
}
