//go:build e2e

package troubleshooting

import (
	"testing"

	"github.com/claimbridge/claimbridge/test/controlplane/plane"
	"github.com/claimbridge/claimbridge/test/testkit/built"
)

// What users of old versions over the cluster's v1 see, in a control plane with default flags: another API server of the same cluster, which
// sessions start, has a version turned on in-tree.
func TestTheAggregatedServer(t *testing.T) {
	t.Parallel()
	c := start(t, "claimbridge-apiserver", built.APIServer(t), "--versions=v1beta1,v1beta2", "--bind-address=127.0.0.1",
		"--certificate-secret=claimbridge-system/claimbridge-apiserver-ca", "--tls-dns-names=claimbridge-apiserver.claimbridge-system.svc")
	c.way = breaking(t, c.Config.Host, c.file("break"))
	o := &other{cluster: c, port: plane.Port(t)}
	t.Cleanup(func() {
		if err := o.stop(); err != nil {
			t.Error(err)
		}
	})
	environ := c.environ()
	environ["OTHER"] = o.address()
	inTurn(t, "testdata/aggregated/*.txtar", environ, commands{"server": c.server, "other": o.command})
}
