package store

import (
	"context"
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
)

// Whoever gives up a request, 200 times, leaves nothing behind: the connection is there for the next one, also where the store is silent.
func TestNothingIsLeftOfRequestsThatWereGivenUp(t *testing.T) {
	var connections, heard atomic.Int32
	store := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if heard.Add(1) > 1 {
			<-r.Context().Done()
		}
	}))
	store.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	store.EnableHTTP2 = true
	store.Config.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: 60} // what is left behind takes other connections soon
	store.StartTLS()
	defer store.Close()
	client, err := New(&rest.Config{Host: store.URL, TLSClientConfig: rest.TLSClientConfig{Insecure: true}}, caller.Constrained, "")
	if err != nil {
		t.Fatal(err)
	}
	ctx := request.WithUser(t.Context(), &user.DefaultInfo{Name: "alice"})
	ask := func(ctx context.Context) (answered bool) {
		resp, err := client.AsCaller(ctx, Request{Method: http.MethodGet, Resource: "resourceclaims", Namespace: "default", Name: "a"})
		if err == nil {
			_ = resp.Body.Close()
		}
		return err == nil
	}
	if !ask(ctx) {
		t.Fatal("the first request has no answer")
	}
	var callers sync.WaitGroup
	for range 20 {
		callers.Go(func() {
			for range 10 {
				short, giveUp := context.WithTimeout(ctx, 200*time.Millisecond)
				if ask(short) {
					t.Error("a store that is silent answered")
				}
				giveUp()
			}
		})
	}
	callers.Wait()
	if got := connections.Load(); got > 2 || heard.Load() < 20 {
		t.Errorf("%d connections for 200 requests that were given up, of which %d were heard; want one", got, heard.Load())
	}
}
