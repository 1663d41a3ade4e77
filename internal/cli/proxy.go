package cli

import (
	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/bridge"
	"github.com/claimbridge/claimbridge/internal/loopback"
	"github.com/claimbridge/claimbridge/internal/process"
)

type proxyFlags struct {
	cluster *clusterFlags
	port    uint16
	absent  string
}

func newProxyCommand() *cobra.Command {
	o := proxyFlags{cluster: newClusterFlags()}
	c := newCommand("proxy", "Serve a cluster's API on this machine, with v1, v1beta2 and v1beta1 of resource.k8s.io",
		cobra.NoArgs, o.run)
	fs := c.FlagSet("proxy")
	fs.Uint16Var(&o.port, "port", 8001, "port on 127.0.0.1 to listen on; 0 for any free port")
	fs.StringVar(&o.absent, "absent", string(bridge.AbsentEmpty),
		"response if the cluster doesn't serve resource.k8s.io: empty (empty lists) or notfound (404)")
	c.completeWith("absent", string(bridge.AbsentEmpty), string(bridge.AbsentNotFound))
	o.cluster.addFlags(c)
	return c.build()
}

func (o *proxyFlags) run(cmd *cobra.Command) error {
	absent := bridge.AbsentPolicy(o.absent)
	if absent != bridge.AbsentEmpty && absent != bridge.AbsentNotFound {
		return usagef("--absent: unknown %q, must be %s or %s", o.absent, bridge.AbsentEmpty, bridge.AbsentNotFound)
	}
	config, err := o.cluster.config()
	if err != nil {
		return err
	}
	ctx, stop := process.SignalContext(cmd.Context())
	defer stop()
	return loopback.Serve(ctx, cmd.OutOrStdout(), o.port, config,
		bridge.ProxyOptions{Options: bridge.Options{Absent: absent}}, nil)
}
