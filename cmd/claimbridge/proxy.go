package main

import (
	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/bridge"
	"github.com/claimbridge/claimbridge/cmd/internal/loopback"
	"github.com/claimbridge/claimbridge/cmd/internal/process"
)

type proxyFlags struct {
	cluster *clusterFlags
	port    uint16
	absent  string
}

func newProxyCommand() *cobra.Command {
	o := proxyFlags{cluster: newClusterFlags()}
	c := newCommand("proxy", "Serve a cluster's API on this machine, with every version of resource.k8s.io",
		cobra.NoArgs, o.run)
	fs := c.FlagSet("proxy")
	fs.Uint16Var(&o.port, "port", 8001, "port of 127.0.0.1 to serve on; 0 for any that is free")
	fs.StringVar(&o.absent, "absent", string(bridge.Empty),
		"what is answered where the cluster does not have resource.k8s.io: empty, as if there were no such objects, "+
			"or notfound, as it answers itself")
	c.takes("absent", string(bridge.Empty), string(bridge.NotFound))
	o.cluster.addFlags(c)
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
	return loopback.Serve(ctx, cmd.OutOrStdout(), o.port, config,
		bridge.ProxyOptions{Options: bridge.Options{Absent: absent}}, nil)
}
