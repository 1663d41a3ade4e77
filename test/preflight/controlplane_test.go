//go:build e2e

package preflight

import (
	"os"
	"testing"

	"github.com/go-logr/logr"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

func TestMain(m *testing.M) {
	ctrllog.SetLogger(logr.Discard())
	os.Exit(controlplane.Main(m)) //nolint:forbidigo // TestMain
}

// start a control plane. Endpoints are looked up as in a cluster with --enable-aggregator-routing, so that a call goes to
// the address of an EndpointSlice, without any network of Services.
func start(t *testing.T, builtIn bool) *plane.Plane {
	t.Helper()
	o := plane.Options{Users: []plane.User{plane.Administrator}, Flags: map[string]string{"enable-aggregator-routing": "true"}}
	if !builtIn {
		o.RuntimeConfig = plane.WithoutClaims
	}
	return plane.New(t, o)
}

// administrator's kubeconfig.
func administrator(t *testing.T, p *plane.Plane) []byte {
	t.Helper()
	return p.KubeconfigOf(t, plane.Administrator.Name, "default")
}
