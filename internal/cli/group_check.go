package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/webhook/preflight"
)

// groupChecks are the preflight checks that fail if CRDs of the group would break the cluster.
var groupChecks = []string{"group-is-not-built-in", "group-is-not-aggregated"}

// validateGroup returns an error if the manifests would break the current cluster: its API server serves the group
// itself. Only CRDs and webhook configurations do harm.
//
// Manifests are also written on machines without a cluster, so a cluster that cannot be reached is an error only if
// flags select it, and a note otherwise.
func (o *manifestsOptions) validateGroup(cmd *cobra.Command) error {
	isHarmful := slices.Contains([]config.Part{"", config.CRDsPart, config.WebhooksPart}, o.Only)
	// The built-in groups of an API server have the suffix k8s.io, or no dot. No CRD can have a group without a dot.
	if o.force || !isHarmful || !strings.HasSuffix("."+o.Group, ".k8s.io") {
		return nil
	}
	results, err := o.runGroupChecks(cmd)
	switch {
	case err != nil && o.cluster.isSet():
		return fmt.Errorf("could not check whether the cluster serves %s itself: %w", o.Group, err)
	case err != nil:
		fmt.Fprintf(cmd.ErrOrStderr(),
			"note: could not check whether the cluster serves %s itself (%v); do not apply these manifests to a "+
				"cluster that does: see '%s --help'\n",
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
	return fmt.Errorf("%s\nCRDs of %s may break this cluster: use your own group, such as "+
		"--group=claims.example.com; for another cluster, use --force",
		strings.Join(reasons, "\n"), o.Group)
}

// runGroupChecks runs the checks of the group in the current cluster.
func (o *manifestsOptions) runGroupChecks(cmd *cobra.Command) ([]preflight.Result, error) {
	cluster, err := o.cluster.config()
	if err != nil {
		return nil, err
	}
	skip := slices.DeleteFunc(preflight.Names(), func(name string) bool {
		return slices.Contains(groupChecks, name)
	})
	return preflight.Run(cmd.Context(), cluster, preflight.Options{Group: o.Group, Skip: skip})
}
