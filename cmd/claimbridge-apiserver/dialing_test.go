package main

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/caller"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/store"
)

// A cluster that takes connections and says nothing is not given one for each request, and is asked again as soon as it speaks.
func TestAClusterThatStandsStillHasFewConnections(t *testing.T) {
	cluster := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	cluster.EnableHTTP2 = true
	cluster.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes that were given up
	gate := &gate{Listener: cluster.Listener, open: make(chan struct{})}
	cluster.Listener = gate
	cluster.StartTLS()
	defer cluster.Close()
	var open, most atomic.Int32
	client, err := store.New(&rest.Config{
		Host: cluster.URL, TLSClientConfig: rest.TLSClientConfig{Insecure: true},
		Dial: atMost(mostToCluster, func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			now := open.Add(1)
			for before := most.Load(); now > before && !most.CompareAndSwap(before, now); before = most.Load() {
			}
			return placed{conn, sync.OnceFunc(func() { open.Add(-1) })}, nil
		}),
	}, caller.Constrained, "")
	if err != nil {
		t.Fatal(err)
	}
	ask := func(patience time.Duration) error {
		ctx, cancel := context.WithTimeout(request.WithUser(t.Context(), &user.DefaultInfo{Name: "alice"}), patience)
		defer cancel()
		resp, err := client.AsCaller(ctx, store.Request{Method: http.MethodGet, Resource: "resourceclaims", Namespace: "default", Name: "a"})
		if err != nil {
			return err
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		return resp.Body.Close()
	}
	var callers sync.WaitGroup
	for range 500 {
		callers.Go(func() {
			if ask(50*time.Millisecond) == nil {
				t.Error("a cluster that says nothing answered")
			}
		})
	}
	callers.Wait()
	if got := most.Load(); got < 2 || got > mostToCluster {
		t.Errorf("%d connections at once for 500 requests that were given up, want at most %d", got, mostToCluster)
	}
	close(gate.open)
	if err := ask(time.Minute); err != nil {
		t.Errorf("the cluster speaks again: %v", err)
	}
}

// gate is a listener that nobody passes before it is open; the kernel takes connections all the same.
type gate struct {
	net.Listener
	open chan struct{}
}

func (g *gate) Accept() (net.Conn, error) {
	<-g.open
	return g.Listener.Accept()
}
