package node

import (
	"testing"

	"github.com/claimbridge/claimbridge/test/node/needs"
)

// New cluster for a test, which ends with it. A test is skipped where no cluster can run. Missing programs are built,
// which takes some minutes. When it fails, the logs of the cluster's programs are kept, and it says where: they do not
// hide what it says itself.
func New(t testing.TB, o Options) *Cluster {
	t.Helper()
	Needed(t)
	if o.Log == nil {
		o.Log = t.Output()
	}
	c, err := Start(t.Context(), o)
	if err != nil {
		t.Fatalf("start a cluster: %v", err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			if kept, err := c.KeepLogs(); err != nil {
				t.Error(err)
			} else {
				t.Log("the logs of the cluster's programs are kept in", kept)
			}
		}
		if err := c.Stop(); err != nil {
			t.Errorf("stop the cluster: %v", err)
		}
	})
	return c
}

// Needed says that a test needs clusters: it is skipped where none can run.
func Needed(t testing.TB) {
	t.Helper()
	if err := needs.Check(); err != nil {
		t.Skip(err)
	}
}
