//go:build e2e

package preflight

import (
	"os"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/webhook/webhooktest"
)

func TestMain(m *testing.M) {
	ctrllog.SetLogger(logr.Discard())
	os.Exit(controlplane.Main(m)) //nolint:forbidigo // TestMain
}

// start a control plane. Endpoints are looked up as in a cluster with --enable-aggregator-routing, so that a call goes to
// the address of an EndpointSlice, without any network of Services.
func start(t *testing.T, builtIn bool) *envtest.Environment {
	t.Helper()
	env := &envtest.Environment{ControlPlaneStartTimeout: 2 * time.Minute, ControlPlaneStopTimeout: time.Minute}
	env.ControlPlane.GetAPIServer().Configure().Set("enable-aggregator-routing", "true")
	if !builtIn {
		webhooktest.DisableBuiltIn(env.ControlPlane.GetAPIServer())
	}
	must.Get(env.Start())(t)
	env.Config.WarningHandler = rest.NoWarnings{}
	t.Cleanup(func() {
		if err := env.Stop(); err != nil {
			t.Error(err)
		}
	})
	return env
}
