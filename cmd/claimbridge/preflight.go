package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/webhook/preflight"
)

type preflightOptions struct {
	cluster *clusterFlags
	checks  preflight.Options
	output  string
	verbose bool
}

func newPreflightCommand() *cobra.Command {
	o := preflightOptions{cluster: newClusterFlags()}
	c := newCommand("preflight", "Tell what is wrong with claimbridge in a cluster, and what to do about it",
		cobra.NoArgs, o.run)
	fs := c.FlagSet("preflight")
	fs.StringVar(&o.checks.Group, "group", "",
		"API group of the claims. Default: the one that the server of --namespace is installed for")
	fs.StringVarP(&o.checks.Namespace, "namespace", "n", config.DefaultNamespace, "namespace of the server")
	fs.StringVar((*string)(&o.checks.Certificates), "certificates", "",
		"who makes the certificates of a planned installation: "+
			"cert-manager, self or files. Default: cert-manager before an installation")
	fs.StringVar(&o.checks.ClaimNamespace, "claim-namespace", "default",
		"namespace in which writes of claims are tried, as a dry run")
	fs.DurationVar(&o.checks.ClaimTimeout, "claim-timeout", time.Minute,
		"how long to read claims, of all namespaces and in all versions")
	fs.StringSliceVar(&o.checks.Skip, "skip", nil, "check to leave out; repeatable")
	o.cluster.addFlags(c)
	c.output(&o.output, "text", "output format: text, or json, which is one line a check", textOrJSON...)
	c.FlagSet("output").BoolVar(&o.verbose, "verbose", false, "a line for each check that finds nothing, too")
	var checks []string
	for _, check := range preflight.Checks {
		checks = append(checks, cobra.CompletionWithDesc(check.Name, check.Reason))
	}
	c.takes("skip", checks...)
	c.takes("certificates", certificateModes...)
	return c.whole()
}

func (o *preflightOptions) check(cmd *cobra.Command) error {
	unknown := o.checks.Validate()
	certificates := string(o.checks.Certificates)
	return cmp.Or(
		checkOutput(o.output, textOrJSON, "text or json"),
		when(o.checks.Group == "" && cmd.Flags().Changed("group"), "--group must not be empty"),
		when(o.checks.Namespace == "", "--namespace must not be empty"),
		when(cmd.Flags().Changed("certificates") && !slices.Contains(certificateModes, certificates),
			"--certificates=%.100s: must be %s", certificates, oneOf(certificateModes)),
		when(o.checks.ClaimNamespace == "", "--claim-namespace must not be empty"),
		when(o.checks.ClaimTimeout <= 0, "--claim-timeout=%s: must be more than nothing", o.checks.ClaimTimeout),
		when(unknown != nil, "%w", unknown),
	)
}

func (o *preflightOptions) run(cmd *cobra.Command) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	o.checks.ClusterFlags = o.cluster.asked()
	cluster, err := o.cluster.config()
	if err != nil {
		return fmt.Errorf("find the cluster: %w", err)
	}
	results, err := preflight.Run(cmd.Context(), cluster, o.checks)
	if errors.Is(err, preflight.ErrNoGroup) {
		return usagef("%w", err)
	}
	if err != nil {
		return err
	}
	if o.output == "json" {
		err = findingsJSON(cmd.OutOrStdout(), results)
	} else {
		err = findingsText(cmd.OutOrStdout(), results, o.verbose)
	}
	if err != nil {
		return err
	}
	if found := grave(results); len(found) > 0 {
		return errors.New(summary(found))
	}
	return nil
}
