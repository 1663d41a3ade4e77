//go:build e2e

package aggregated

import (
	"context"
	"net/http"
	"testing"
	"time"

	"k8s.io/client-go/discovery"

	"github.com/claimbridge/claimbridge/test/aggregated/beside"
)

// While the server is away the old versions answer 503, v1 goes on as ever, and kube-apiserver can start again; when the server is
// back, so are they, with what was written meanwhile. This one has a control plane of its own, as it disturbs all of it.
func TestOutage(t *testing.T) {
	t.Parallel()
	c := &cluster{name: "outage"}
	t.Cleanup(func() {
		if err := c.stop(); err != nil {
			t.Error(err)
		}
	})
	if err := c.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	program, err := beside.Build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const delay = 4 * time.Second
	if c.server, err = beside.InstallWith(t.Context(), c.Plane, program, inTree, beside.Options{ShutdownDelay: delay}); err != nil {
		t.Fatal(err)
	}
	old, today := c.session(t, "v1beta1"), c.session(t, "v1")
	old.namespace, today.namespace = "default", "default"
	status := func(s *session, st step, want int) {
		t.Helper()
		var last *answer
		for started := time.Now(); ; time.Sleep(100 * time.Millisecond) {
			a, err := s.do(t.Context(), st.request)
			if err == nil && a.status == want {
				return
			}
			if last = a; time.Since(started) > time.Minute {
				t.Fatalf("%s: %v, %+v, not %d", st, err, last, want)
			}
		}
	}
	status(old, create("claims", shape("v1beta1").claim("before", "")), http.StatusCreated)
	status(old, watch("open", "claims?watch=true&resourceVersion=0"), http.StatusOK)

	made, signal := connections(t, c.server), time.Now()
	if err := c.server.End(); err != nil {
		t.Fatal(err)
	}
	endedHalfway(t, <-made, signal, delay)
	if ended, err := old.events("open", 0); err != nil || len(ended.body) == 0 {
		t.Errorf("the watch: %v, %v", err, ended)
	}
	status(old, get("claims/before"), http.StatusServiceUnavailable)
	status(old, create("claims", shape("v1beta1").claim("meanwhile", "")), http.StatusServiceUnavailable)
	status(today, get("claims/before"), http.StatusOK)
	status(today, create("claims", shape("v1").claim("meanwhile", "")), http.StatusCreated)

	t.Log("kube-apiserver starts again while the server is away")
	if err := c.Restart(t.Context(), func(context.Context) error { return nil }); err != nil {
		t.Fatal(err)
	}
	status(today, get("/readyz").by("root"), http.StatusOK)
	status(today, get("claims/meanwhile"), http.StatusOK)
	status(old, get("claims/before"), http.StatusServiceUnavailable)
	client, err := discovery.NewDiscoveryClientForConfig(c.Config)
	if err != nil {
		t.Fatal(err)
	}
	groups, err := client.ServerGroups()
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range groups.Groups {
		if g.Name == "resource.k8s.io" && g.PreferredVersion.Version != "v1" {
			t.Errorf("%s is preferred", g.PreferredVersion.Version)
		}
	}

	if err := c.server.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	status(old, get("claims/before"), http.StatusOK)
	status(old, get("claims/meanwhile"), http.StatusOK)
}
