//go:build e2e

package bridge

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

// What users type, and what they see: each script of testdata/kubectl is a session in a namespace of its own, through claimbridge proxy and on
// the key alike.
func TestKubectl(t *testing.T) {
	for _, version := range []string{"v1beta1", "v1beta2"} {
		t.Run("the key/"+version, func(t *testing.T) { key.scripts(t, version, key.Config.Host) })
	}
	ways(func(served, asked string) {
		t.Run(asked+" over "+served, func(t *testing.T) {
			c := alone[served]
			c.scripts(t, asked, c.proxy(t, "writer", plane.Port(t)).url())
		})
	})
}

func (c *cluster) scripts(t *testing.T, version, server string) {
	cache := t.TempDir()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "kubectl"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			namespace, _ := c.space(env.T().(testing.TB)) // testscript hands out the test that it runs in
			env.Setenv("KUBECONFIG", c.kubeconfig(env.T().(testing.TB), "writer", namespace, server))
			env.Setenv("KUBECACHEDIR", cache)
			env.Setenv("NAMESPACE", namespace)
			env.Setenv("V", version)
			env.Setenv("CLAIMS", "resourceclaims."+version+".resource.k8s.io")
			env.Setenv("PATH", os.Getenv(controlplane.EnvAssets)+string(filepath.ListSeparator)+os.Getenv("PATH"))
			return nil
		},
	})
}
