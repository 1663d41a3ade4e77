//go:build e2e

package aggregated

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/claimbridge/claimbridge/test/controlplane"
)

// What users type, and what they see: each script of testdata/kubectl is a session in a namespace of its own, in each version, beside ours
// and on the key alike.
func TestKubectl(t *testing.T) {
	for _, c := range []*cluster{key, ours} {
		for _, version := range inTree {
			t.Run(c.name+"/"+version, func(t *testing.T) {
				t.Parallel()
				c.scripts(t, version)
			})
		}
	}
}

func (c *cluster) scripts(t *testing.T, version string) {
	cache := t.TempDir()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "kubectl"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			namespace, _ := c.space(env.T().(testing.TB)) // testscript hands out the test that it runs in
			data, err := c.Kubeconfig("writer", namespace)
			if err != nil {
				return err
			}
			kubeconfig := filepath.Join(env.WorkDir, ".kubeconfig")
			if err := os.WriteFile(kubeconfig, data, 0o600); err != nil {
				return err
			}
			env.Setenv("KUBECONFIG", kubeconfig)
			env.Setenv("KUBECACHEDIR", cache)
			env.Setenv("NAMESPACE", namespace)
			env.Setenv("V", version)
			env.Setenv("CLAIMS", "resourceclaims."+version+".resource.k8s.io")
			env.Setenv("PATH", os.Getenv(controlplane.EnvAssets)+string(filepath.ListSeparator)+os.Getenv("PATH"))
			return nil
		},
	})
}
