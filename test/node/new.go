package node

import (
	"context"
	"strings"
	"testing"
)

// New cluster for a test, which ends with it. A test is skipped where no cluster can run, and where its programs are not built, unless
// CLAIMBRIDGE_NODE=build says that they shall be. When it fails, the logs of the cluster's programs are kept, and it says where: they do not hide what it says itself.
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

// Needed says that a test needs clusters: it is skipped where New would skip it.
func Needed(t testing.TB) {
	t.Helper()
	switch why, err := Skipped(t.Context()); {
	case err != nil:
		t.Fatal(err)
	case why != "":
		t.Skip(why)
	}
}

// Skipped says why tests with clusters do not run here and now; empty when they do.
func Skipped(ctx context.Context) (why string, err error) {
	if missing := Missing(); len(missing) > 0 {
		return "a cluster cannot run here: " + strings.Join(missing, "; "), nil
	}
	return unbuilt(ctx)
}
