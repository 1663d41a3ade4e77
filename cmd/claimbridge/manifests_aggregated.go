package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/internal/build"
	"github.com/claimbridge/claimbridge/webhook/preflight"
)

// checksOfAggregation are those that find a cluster in which the aggregated API server does harm, and what is left to do in one that has it.
var checksOfAggregation = []string{
	"cluster-serves-the-newest-version", "cluster-can-aggregate", "group-has-no-definitions", "versions-are-free", leftBehind, "impersonation-is-constrained",
}

// leftBehind finds APIServices of versions that are not served any more. These manifests are what takes a version away: it only warns of them.
const leftBehind = "api-services-are-served"

func (o *manifestsOptions) runAggregated(cmd *cobra.Command) error {
	options, err := o.aggregatedConfig(cmd)
	if err != nil {
		return err
	}
	manifests, err := config.AggregatedManifests(options)
	if err != nil {
		return usagef("%w", err)
	}
	if err := o.checkAggregation(cmd); err != nil {
		return err
	}
	_, err = cmd.OutOrStdout().Write(manifests)
	return err
}

// aggregatedConfig gives the options of the manifests. Flags of the webhook server have no meaning here, and are refused.
func (o *manifestsOptions) aggregatedConfig(cmd *cobra.Command) (config.AggregatedOptions, error) {
	for _, name := range []string{"admission-policy", "admin-access-policy", "kubernetes-release"} {
		if cmd.Flags().Changed(name) {
			return config.AggregatedOptions{}, usagef("--%s is for the webhook server: the cluster judges what the aggregated API server writes", name)
		}
	}
	if o.group != "" && o.group != config.DefaultGroup {
		return config.AggregatedOptions{}, usagef("--group=%.300s: the aggregated API server serves %s and no other", o.group, config.DefaultGroup)
	}
	for _, name := range []string{"namespace", "image", "certificates", "act-as"} {
		if cmd.Flag(name).Value.String() == "" {
			return config.AggregatedOptions{}, usagef("--%s must not be empty", name)
		}
	}
	if cmd.Flags().Changed("versions") && len(o.versions) == 0 {
		return config.AggregatedOptions{}, usagef("--versions must not be empty")
	}
	options := config.AggregatedOptions{
		Namespace: o.namespace, Image: o.image, Certificates: config.Certificates(o.certificates), Versions: o.versions,
		ActAs: config.ActAs(o.actAs), Only: config.Part(o.only),
	}
	if !cmd.Flags().Changed("image") {
		options.Image = build.Image(config.DefaultAggregatedImage)
	}
	if o.caFile != "" {
		var err error
		if options.CABundle, err = o.bundle(); err != nil {
			return config.AggregatedOptions{}, err
		}
	}
	return options, nil
}

func actorNames() (names []string) {
	for _, actor := range config.Actors {
		names = append(names, string(actor))
	}
	return names
}

// checkAggregation refuses manifests that would break the cluster at hand. Only APIServices can.
func (o *manifestsOptions) checkAggregation(cmd *cobra.Command) error {
	if o.force || o.only != "" && config.Part(o.only) != config.APIServicesPart {
		return nil
	}
	var others []string
	for _, c := range preflight.AggregatedChecks {
		if !slices.Contains(checksOfAggregation, c.Name) {
			others = append(others, c.Name)
		}
	}
	versions := o.versions
	if len(versions) == 0 {
		versions = config.AggregatedByDefault
	}
	results, err := o.ask(cmd, preflight.Options{Aggregated: true, Namespace: o.namespace, Versions: versions, ActAs: config.ActAs(o.actAs), Skip: others})
	switch {
	case err != nil && o.cluster.given():
		return fmt.Errorf("ask the cluster which versions of %s it serves itself: %w", config.DefaultGroup, err)
	case err != nil:
		fmt.Fprintf(cmd.ErrOrStderr(), "note: no cluster was asked which versions of %s it serves itself (%v); never apply these manifests to one that serves one of theirs, see 'claimbridge manifests --help'\n", config.DefaultGroup, err)
		return nil
	}
	var found []string
	for _, f := range findings(results) {
		text := f.Object.String() + ": " + f.What + "\n  remedy: " + preflight.WithoutSkip(f.Remedy)
		if f.Command != "" {
			text += "\n    " + f.Command
		}
		if f.Severity == preflight.Warning || slices.Contains(f.checks, leftBehind) && f.Severity == preflight.Problem {
			fmt.Fprintln(cmd.ErrOrStderr(), "warning: "+text)
			continue
		}
		found = append(found, text)
	}
	if len(found) == 0 {
		return nil
	}
	return fmt.Errorf("%s\nAPIServices for these versions may break this cluster; write them for another one with --force", strings.Join(found, "\n"))
}
