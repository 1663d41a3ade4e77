package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/client-go/rest"

	"github.com/claimbridge/claimbridge/bridge"
)

const proxyLong = `Serve a cluster's API on this machine, with every version of resource.k8s.io.

It does what kubectl proxy does, and beside that answers for the versions of resource.k8s.io that the cluster does not serve: any of v1,
v1beta2 and v1beta1 from any other of them, and v1alpha1 to v1alpha3 to look at. It is for a program that speaks another version than the cluster and that
cannot be rebuilt; one in Go that can be has the package bridge. Everything else goes through as it comes, exec and port-forward included.

It listens on the loopback address alone. A request with an Authorization header is sent with that; another one with the credentials of the
kubeconfig. docs/bridge.md says when to use what the cluster has for this by itself, which is better, and what differs.

With --in-cluster it is a sidecar: it serves the containers of its pod by TLS, sends their requests with their own credentials and never with
any else, and keeps in a folder what in-cluster configurations read. 'claimbridge proxy inject' puts it into manifests.`

const proxyExample = `  # A client of v1 on a cluster of 1.32, which serves v1beta1
  claimbridge proxy --kubeconfig ~/.kube/config --port 8001 &
  kubectl --server http://127.0.0.1:8001 get resourceclaims.v1.resource.k8s.io`

type proxyFlags struct {
	cluster *clusterFlags
	port    uint16
	absent  string
	// inCluster is a folder for what in-cluster configurations read, beside one for the proxy's own.
	inCluster string
}

func newProxyCommand() *cobra.Command {
	o := proxyFlags{cluster: newClusterFlags()}
	cmd := command("proxy", "Serve a cluster's API on this machine, with every version of resource.k8s.io",
		proxyLong, proxyExample, cobra.NoArgs, o.run)
	var f flags
	fs := f.FlagSet("proxy")
	fs.Uint16Var(&o.port, "port", 8001, "port of 127.0.0.1 to serve on; 0 for any that is free")
	fs.StringVar(&o.absent, "absent", string(bridge.Empty),
		"what is answered where the cluster does not have resource.k8s.io: empty, as if there were no such objects, or notfound, as it answers itself")
	f.takes("absent", string(bridge.Empty), string(bridge.NotFound))
	fs.StringVar(&o.inCluster, "in-cluster", "", "serve the containers of this pod by TLS, and keep in this folder, below client, what their in-cluster configuration reads")
	_ = cmd.MarkFlagDirname("in-cluster")
	o.cluster.addFlags(f.FlagSet("cluster"))
	f.addTo(cmd)
	o.cluster.complete(cmd)
	cmd.AddCommand(newProxyReadyCommand(), newProxyInjectCommand())
	return cmd
}

func (o *proxyFlags) run(cmd *cobra.Command) error {
	absent := bridge.Absent(o.absent)
	if absent != bridge.Empty && absent != bridge.NotFound {
		return usagef("--absent: unknown %q, must be %s or %s", o.absent, bridge.Empty, bridge.NotFound)
	}
	config, err := o.config()
	if err != nil {
		return err
	}
	config.QPS, config.Timeout, config.UserAgent = -1, 0, "" // a watch lasts as long as its client wants, which has a name
	ctx, stop := untilSignal(cmd.Context())
	defer stop()
	handler, err := bridge.Proxy(config, bridge.ProxyOptions{Options: bridge.Options{Absent: absent}, CallersOnly: o.inCluster != ""})
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(o.port))))
	if err != nil {
		return err
	}
	// Go's clients close what is idle after 90 s.
	server := &http.Server{Handler: bridge.Local(handler), ReadHeaderTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute}
	server.BaseContext = func(net.Listener) context.Context { return ctx }
	serve := server.Serve
	if o.inCluster != "" {
		leaveRoom()
		identity, err := keepInCluster(ctx, o.inCluster)
		if err != nil {
			return errors.Join(err, listener.Close())
		}
		server.TLSConfig = identity
		serve = func(l net.Listener) error { return server.ServeTLS(l, "", "") }
	}
	fmt.Fprintf(cmd.OutOrStdout(), "Starting to serve on %s\n", listener.Addr())
	ended := make(chan error, 1)
	go func() { ended <- serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done(): // requests have ended with it
		return server.Close()
	}
}

func (o *proxyFlags) config() (*rest.Config, error) {
	if o.inCluster != "" {
		return rest.InClusterConfig()
	}
	return o.cluster.config()
}
