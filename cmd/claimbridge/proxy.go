package main

import (
	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/bridge"
	"github.com/claimbridge/claimbridge/cmd/internal/loopback"
	"github.com/claimbridge/claimbridge/cmd/internal/process"
)

const proxyLong = `Serve a cluster's API on this machine, with every version of resource.k8s.io.

It does what kubectl proxy does, and beside that answers for the versions of resource.k8s.io that the cluster does not serve: any of v1,
v1beta2 and v1beta1 from any other of them, and v1alpha1 to v1alpha3 to look at. It is for a program that speaks another version than the cluster and that
cannot be rebuilt; one in Go that can be has the package bridge. Everything else goes through as it comes, exec and port-forward included.

It listens on the loopback address alone. A request with an Authorization header is sent with that; another one with the credentials of the
kubeconfig. docs/bridge.md says when to use what the cluster has for this by itself, which is better, and what differs.

In a pod it is a sidecar, of a program that is smaller: 'claimbridge proxy inject' puts it into manifests.`

const proxyExample = `  # A client of v1 on a cluster of 1.32, which serves v1beta1
  claimbridge proxy --kubeconfig ~/.kube/config --port 8001 &
  kubectl --server http://127.0.0.1:8001 get resourceclaims.v1.resource.k8s.io`

type proxyFlags struct {
	cluster *clusterFlags
	port    uint16
	absent  string
}

func newProxyCommand() *cobra.Command {
	o := proxyFlags{cluster: newClusterFlags()}
	c := newCommand("proxy", "Serve a cluster's API on this machine, with every version of resource.k8s.io",
		proxyLong, proxyExample, cobra.NoArgs, o.run)
	fs := c.FlagSet("proxy")
	fs.Uint16Var(&o.port, "port", 8001, "port of 127.0.0.1 to serve on; 0 for any that is free")
	fs.StringVar(&o.absent, "absent", string(bridge.Empty),
		"what is answered where the cluster does not have resource.k8s.io: empty, as if there were no such objects, or notfound, as it answers itself")
	c.takes("absent", string(bridge.Empty), string(bridge.NotFound))
	o.cluster.addFlags(c)
	c.AddCommand(newProxyInjectCommand())
	return c.whole()
}

func (o *proxyFlags) run(cmd *cobra.Command) error {
	absent := bridge.Absent(o.absent)
	if absent != bridge.Empty && absent != bridge.NotFound {
		return usagef("--absent: unknown %q, must be %s or %s", o.absent, bridge.Empty, bridge.NotFound)
	}
	config, err := o.cluster.config()
	if err != nil {
		return err
	}
	ctx, stop := process.UntilSignal(cmd.Context())
	defer stop()
	return loopback.Serve(ctx, cmd.OutOrStdout(), o.port, config, bridge.ProxyOptions{Options: bridge.Options{Absent: absent}}, nil)
}
