package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/go-logr/logr"
	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/log"

	library "github.com/claimbridge/claimbridge/bridge"
	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/controlplane/plane"
)

// The ways to claims in bridgedVersion: of a cluster that serves it, and of one that serves servedVersion alone.
const (
	inTree         = "in-tree"
	inProcess      = "in-process"
	throughProxy   = "proxy"
	bridgedVersion = "v1"
	servedVersion  = "v1beta1"
)

// way to a cluster: its name, a client that goes it, and one that goes none, in the version that the cluster serves.
type way struct {
	name           string
	client, direct *apiServerClient
	served         string
	// calls that were measured, so that each can have a claim of its own.
	calls int
}

// ways are what is measured: two control planes with the same claims, and a proxy to one of them.
type ways struct {
	planes []*plane.Plane
	proxy  *exec.Cmd
	all    []*way
	// names of the claims in both, of which every second one is allocated.
	names []string
}

// bridge measures a version of claims by a bridge, in the client and in claimbridge proxy, beside the same version in-tree: calls and lists, the
// way of an event, and what the proxy keeps in memory.
func (b *bench) bridge() (err error) {
	w := &ways{}
	defer func() { err = errors.Join(err, w.stop()) }()
	if err := b.startWays(w); err != nil {
		return err
	}
	if err := w.fill(b.stored); err != nil {
		return err
	}
	b.results.add(bridgeStored, b.stored, values{})
	for _, measure := range []func(*ways) error{b.idleProxy, b.watchedProxy, b.bridgeCalls, b.bridgeEvents} {
		if err := measure(w); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) startWays(w *ways) error {
	log.SetLogger(logr.Discard()) // envtest's
	assets, err := controlplane.Assets(b)
	if err != nil {
		return err
	}
	if err := os.Setenv(controlplane.EnvAssets, assets); err != nil {
		return err
	}
	w.planes = make([]*plane.Plane, 2)
	var group errgroup.Group
	for i, runtimeConfig := range []string{"", "resource.k8s.io/v1=false,resource.k8s.io/v1beta2=false,resource.k8s.io/v1beta1=true"} {
		group.Go(func() (err error) {
			w.planes[i], err = plane.Start(plane.Options{RuntimeConfig: runtimeConfig, Users: []plane.User{plane.Administrator}})
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	url, err := b.startProxy(w)
	if err != nil {
		return err
	}
	bridged := w.planes[1].As(plane.Administrator.Name)
	bridged.Wrap(library.Transport(library.Options{}))
	for _, c := range []struct {
		name   string
		config *rest.Config
		plane  int
		served string
	}{
		{inTree, w.planes[0].As(plane.Administrator.Name), 0, bridgedVersion},
		{inProcess, bridged, 1, servedVersion},
		{throughProxy, &rest.Config{Host: url}, 1, servedVersion},
	} {
		client, err := b.clientOf(c.config)
		if err != nil {
			return err
		}
		direct, err := b.clientOf(w.planes[c.plane].As(plane.Administrator.Name))
		if err != nil {
			return err
		}
		w.all = append(w.all, &way{name: c.name, client: client, direct: direct, served: c.served})
	}
	return nil
}

// startProxy as a user does, to the cluster that does not serve the version.
func (b *bench) startProxy(w *ways) (url string, err error) {
	kubeconfig, err := w.planes[1].Kubeconfig(plane.Administrator.Name, "default")
	if err != nil {
		return "", err
	}
	file := filepath.Join(b.temp, "kubeconfig")
	if err := os.WriteFile(file, kubeconfig, 0o600); err != nil {
		return "", err
	}
	w.proxy = exec.CommandContext(b, b.binaries[claimbridge], "proxy", "--kubeconfig="+file, "--port=0")
	out, err := w.proxy.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := w.proxy.Start(); err != nil {
		return "", err
	}
	var address string
	if _, err := fmt.Fscanf(out, "Starting to serve on %s\n", &address); err != nil {
		return "", fmt.Errorf("what claimbridge proxy says: %w", err)
	}
	return "http://" + address, nil
}

// clientOf a configuration, with one connection and answers that are not compressed.
func (b *bench) clientOf(config *rest.Config) (*apiServerClient, error) {
	config.DisableCompression = true
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	if client.Transport == nil {
		client.Transport = http.DefaultTransport
	}
	return &apiServerClient{Context: b, http: client, url: strings.TrimSuffix(config.Host, "/")}, nil
}

func (w *ways) stop() (err error) {
	if w.proxy != nil && w.proxy.Process != nil {
		_ = w.proxy.Process.Kill()
		_ = w.proxy.Wait() // killed
	}
	for _, p := range w.planes {
		if p != nil {
			err = errors.Join(err, p.Stop())
		}
	}
	return err
}
