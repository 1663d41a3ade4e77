//go:build e2e

package cluster

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/claimbridge/claimbridge/test/testkit/shell"
)

var update = flag.Bool("update", false, "write what kubectl printed into the scripts")

// What users type, and what they see: each script of testdata is a session with kubectl in a namespace of its own.
func TestKubectl(t *testing.T) { builtInOff.scripts(t, "kubectl") }

// Beside the built-in group the same works, under the full name of the resource.
func TestKubectlInOwnGroup(t *testing.T) { ownGroup.scripts(t, "own-group") }

func (p *plane) scripts(t *testing.T, folder string) {
	cache := t.TempDir()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", folder),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			t := env.T().(testing.TB) // testscript hands out the test that it runs in
			s := p.space(t)
			kubeconfig := filepath.Join(env.WorkDir, ".kubeconfig")
			if err := os.WriteFile(kubeconfig, s.kubeconfig(t), 0o600); err != nil {
				return err
			}
			env.Setenv("KUBECONFIG", kubeconfig)
			env.Setenv("KUBECACHEDIR", cache)
			env.Setenv("NAMESPACE", s.namespace)
			env.Setenv("PATH", shell.Path())
			return nil
		},
	})
}
