package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

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
		Dial: atMost(mostSilent, func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			now := open.Add(1)
			for before := most.Load(); now > before && !most.CompareAndSwap(before, now); before = most.Load() {
			}
			return counted{conn, sync.OnceFunc(func() { open.Add(-1) })}, nil
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
	if got := most.Load(); got < 2 || got > mostSilent {
		t.Errorf("%d connections at once for 500 requests that were given up, want at most %d", got, mostSilent)
	}
	close(gate.open)
	if err := ask(time.Minute); err != nil {
		t.Errorf("the cluster speaks again: %v", err)
	}
}

// counted until it is closed.
type counted struct {
	net.Conn
	leave func()
}

func (c counted) Close() error {
	defer c.leave()
	return c.Conn.Close()
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

// Connections that the cluster has spoken on are as many as it lets: without HTTP/2 each watch has one.
func TestConnectionsInUseTakeNoPlace(t *testing.T) {
	ended := make(chan struct{})
	cluster := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("watch") {
			_ = http.NewResponseController(w).Flush()
			<-ended
		}
	}))
	defer cluster.Close()
	defer close(ended)
	client, err := store.New(&rest.Config{
		Host: cluster.URL, TLSClientConfig: rest.TLSClientConfig{Insecure: true}, Dial: atMost(2, toCluster),
	}, caller.Constrained, "")
	if err != nil {
		t.Fatal(err)
	}
	ctx := request.WithUser(t.Context(), &user.DefaultInfo{Name: "alice"})
	for range 10 {
		resp, err := client.AsCaller(ctx, store.Request{Method: http.MethodGet, Resource: "resourceclaims", Query: url.Values{"watch": {"true"}}})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
	}
}

// Strangers with tokens of their own are no way around: whose they are is asked by few connections, too.
func TestTokensOfStrangersAreAskedAboutByFewConnections(t *testing.T) {
	cluster, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cluster.Close() }()
	var taken atomic.Int32
	go func() {
		for {
			conn, err := cluster.Accept()
			if err != nil {
				return
			}
			taken.Add(1)
			go func() { _, _ = io.Copy(io.Discard, conn) }()
		}
	}()
	o := newOptions()
	o.authn.RemoteKubeConfigFile = filepath.Join(t.TempDir(), "kubeconfig")
	o.authn.SkipInClusterLookup = true
	if err := clientcmd.WriteToFile(clientcmdapi.Config{
		Clusters:       map[string]*clientcmdapi.Cluster{"c": {Server: "https://" + cluster.Addr().String(), InsecureSkipTLSVerify: true}},
		AuthInfos:      map[string]*clientcmdapi.AuthInfo{"u": {Token: "t"}},
		Contexts:       map[string]*clientcmdapi.Context{"c": {Cluster: "c", AuthInfo: "u"}},
		CurrentContext: "c",
	}, o.authn.RemoteKubeConfigFile); err != nil {
		t.Fatal(err)
	}
	var authentication genericapiserver.AuthenticationInfo
	if err := o.authn.ApplyTo(&authentication, &genericapiserver.SecureServingInfo{}, nil); err != nil {
		t.Fatal(err)
	}
	ctx, giveUp := context.WithTimeout(t.Context(), 4*silence)
	defer giveUp()
	var strangers sync.WaitGroup
	strangers.Go(func() { // they give up soon after the first are connected, before the cluster has been silent for too long
		for taken.Load() < 2 && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(silence / 5)
		giveUp()
	})
	for i := range 300 {
		strangers.Go(func() {
			r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/apis", nil)
			r.Header.Set("Authorization", fmt.Sprintf("Bearer %d", i))
			if _, known, err := authentication.Authenticator.AuthenticateRequest(r); known || err == nil {
				t.Errorf("a cluster that says nothing knows a token: %v", err)
			}
		})
	}
	strangers.Wait()
	if got := taken.Load(); got < 2 || got > mostSilent {
		t.Errorf("%d connections for 300 tokens, want at most %d", got, mostSilent)
	}
}
