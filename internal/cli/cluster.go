package cli

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// clusterFlags select a cluster and a user, like the flags of kubectl.
type clusterFlags struct {
	rules     *clientcmd.ClientConfigLoadingRules
	overrides clientcmd.ConfigOverrides
	flags     *pflag.FlagSet
}

func newClusterFlags() *clusterFlags {
	return &clusterFlags{rules: clientcmd.NewDefaultClientConfigLoadingRules()}
}

// addFlags adds the flags of kubectl that select a cluster and a user. Flags for credentials are left out: credentials
// belong in the kubeconfig file.
func (c *clusterFlags) addFlags(cmd *command) {
	fs := cmd.FlagSet("cluster")
	c.flags = fs
	fs.StringVar(&c.rules.ExplicitPath, "kubeconfig", "",
		"kubeconfig file (default KUBECONFIG, ~/.kube/config, or the cluster that the process runs in)")
	fs.StringVar(&c.overrides.CurrentContext, "context", "", "context in the kubeconfig")
	fs.StringVar(&c.overrides.Context.Cluster, "cluster", "", "cluster in the kubeconfig")
	fs.StringVar(&c.overrides.Context.AuthInfo, "user", "", "user in the kubeconfig")
	fs.StringVar(&c.overrides.AuthInfo.Impersonate, "as", "", "user to impersonate")
	fs.StringArrayVar(&c.overrides.AuthInfo.ImpersonateGroups, "as-group", nil, "group to impersonate; repeatable")
	_ = cobra.MarkFlagFilename(fs, "kubeconfig") // fails only for flags that do not exist
	cmd.completions["context"] = func(*cobra.Command, []string, string) (names []string, _ cobra.ShellCompDirective) {
		if config, err := c.rules.Load(); err == nil {
			names = slices.Sorted(maps.Keys(config.Contexts))
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// addTimeoutFlag adds the flag for a time limit of requests.
func (c *clusterFlags) addTimeoutFlag() {
	c.flags.StringVar(&c.overrides.Timeout, "request-timeout", "",
		"time limit for each request to the API server, such as 30s")
}

// isSet reports whether one of the flags is set.
func (c *clusterFlags) isSet() (isSet bool) {
	c.flags.VisitAll(func(f *pflag.Flag) { isSet = isSet || f.Changed })
	return isSet
}

// config returns the client configuration for the cluster.
func (c *clusterFlags) config() (*rest.Config, error) {
	if timeout, err := clientcmd.ParseTimeout(cmp.Or(c.overrides.Timeout, "0")); err != nil || timeout < 0 {
		return nil, usagef("--request-timeout=%.100s: must be %s", c.overrides.Timeout, valueFormats["duration"])
	}
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(c.rules, &c.overrides).ClientConfig()
	if clientcmd.IsEmptyConfig(err) { // the error of client-go only mentions KUBERNETES_MASTER
		return nil, errors.New("no kubeconfig found, or it has no current context: set --kubeconfig or KUBECONFIG, " +
			"and --context")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: look at --kubeconfig, --context, --cluster and --user", err)
	}
	return config, nil
}
