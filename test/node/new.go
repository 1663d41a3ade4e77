package node

import (
	"testing"

	"github.com/claimbridge/claimbridge/test/node/requirements"
)

// New starts a cluster for a test, and deletes it at the end of the test. It skips the test if no cluster can run on
// this machine. Missing programs are built, which takes some minutes. If the test fails, the logs of the cluster's
// programs are kept, and the test logs their path.
func New(t testing.TB, o Options) *Cluster {
	t.Helper()
	SkipIfUnsupported(t)
	if o.Log == nil {
		o.Log = t.Output()
	}
	c, err := Start(t.Context(), o)
	if err != nil {
		t.Fatalf("start a cluster: %v", err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			if dir, err := c.KeepLogs(); err != nil {
				t.Error(err)
			} else {
				t.Log("the logs of the cluster's programs are kept in", dir)
			}
		}
		if err := c.Stop(); err != nil {
			t.Errorf("stop the cluster: %v", err)
		}
	})
	return c
}

// SkipIfUnsupported skips a test if no cluster can run on this machine.
func SkipIfUnsupported(t testing.TB) {
	t.Helper()
	if err := requirements.Check(); err != nil {
		t.Skip(err)
	}
}
