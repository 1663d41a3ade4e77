package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/webhook/preflight"
)

// checksOfTheGroup are those that find a cluster in which definitions of the group do harm.
var checksOfTheGroup = []string{"group-is-not-built-in", "group-is-not-aggregated"}

// checkGroup refuses manifests that would break the cluster at hand. Only definitions and webhook configurations can. A
// cluster that cannot be asked is no error, since manifests are also written where there is none, unless it was named.
func (o *manifestsOptions) checkGroup(cmd *cobra.Command) error {
	harmful := slices.Contains([]config.Part{"", config.CRDsPart, config.WebhooksPart}, o.Only)
	// Groups that some API server serves from its own code end with k8s.io, if they have a dot, and
	// without one there are no definitions.
	if o.force || !harmful || !strings.HasSuffix("."+o.Group, ".k8s.io") {
		return nil
	}
	results, err := o.checkInCluster(cmd)
	switch {
	case err != nil && o.cluster.given():
		return fmt.Errorf("ask the cluster whether it serves %s itself: %w", o.Group, err)
	case err != nil:
		fmt.Fprintf(cmd.ErrOrStderr(),
			"note: no cluster was asked whether it serves %s itself (%v); never apply these manifests to one that "+
				"does, see '%s --help'\n",
			o.Group, err, cmd.CommandPath())
		return nil
	}
	var reasons []string
	for _, r := range results {
		reasons = append(reasons, r.Reasons...)
	}
	if len(reasons) == 0 {
		return nil
	}
	return fmt.Errorf("%s\nDefinitions of %s may break this cluster: take a group of your own, like "+
		"--group=claims.example.com, or write them for another cluster with --force",
		strings.Join(reasons, "\n"), o.Group)
}

func (o *manifestsOptions) checkInCluster(cmd *cobra.Command) ([]preflight.Result, error) {
	cluster, err := o.cluster.config()
	if err != nil {
		return nil, err
	}
	skip := slices.DeleteFunc(preflight.Names(), func(name string) bool {
		return slices.Contains(checksOfTheGroup, name)
	})
	return preflight.Run(cmd.Context(), cluster, preflight.Options{Group: o.Group, Skip: skip})
}
