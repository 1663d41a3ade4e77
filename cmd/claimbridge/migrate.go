package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/internal/process"
	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/webhook/migration"
)

type migrateOptions struct {
	cluster   *clusterFlags
	group     string
	dryRun    bool
	rate      float32
	settle    time.Duration // of tests, that wait for no API server
	preflight string        // as people run it, for the same cluster
}

func newMigrateCommand() *cobra.Command {
	o := migrateOptions{cluster: newClusterFlags()}
	c := newCommand("migrate", "Rewrite claims in a cluster that are stored in an older version", noArgs, o.run)
	fs := c.FlagSet("migrate")
	fs.StringVar(&o.group, "group", "", "API group of the claims, required, like "+config.DefaultGroup+" or claims.example.com")
	fs.BoolVar(&o.dryRun, "dry-run", false, "have the API server try every write, and keep nothing")
	fs.Float32Var(&o.rate, "rate", migration.DefaultRate, "requests a second, at most")
	o.cluster.addFlags(c)
	return c.whole()
}

func (o *migrateOptions) run(cmd *cobra.Command) error {
	switch {
	case o.group == "":
		return usagef("--group is required: that of the claims, like claims.example.com")
	case !(o.rate > 0):
		return usagef("--rate=%g: must be more than nothing", o.rate)
	}
	cluster, err := o.cluster.config()
	if err != nil {
		return fmt.Errorf("find the cluster: %w", err)
	}
	o.preflight = strings.Join(append([]string{asCalled(cmd, "claimbridge preflight --group=") + o.group}, o.cluster.asked()...), " ")
	causes := migrateCauses{}
	ctx, stop := process.UntilSignal(cmd.Context())
	defer stop()
	stderr := cmd.ErrOrStderr()
	outcomes, err := migration.Run(ctx, cluster, migration.Options{
		Group: o.group, DryRun: o.dryRun, Rate: o.rate, Settle: o.settle,
		Progress: func(p migration.Progress) { fmt.Fprintln(stderr, "migrate: "+progressOf(p)) },
		Failed:   func(f migration.Failure) { fmt.Fprintf(stderr, "%s: %s\n", f.Object, causes.of(f)) },
	})
	for _, outcome := range outcomes {
		o.report(cmd.OutOrStdout(), outcome)
	}
	return o.remedy(ctx, outcomes, err)
}

// progressOf a definition, for a line.
func progressOf(p migration.Progress) string {
	text := fmt.Sprintf("%s: %s done, %d of them written", p.Resource, problems.Many(p.Done, "object"), p.Written)
	if p.Failed > 0 {
		text += fmt.Sprintf(", %d could not be", p.Failed)
	}
	if p.Left > 0 {
		text += fmt.Sprintf(", %d left", p.Left)
	}
	return text
}

func (o *migrateOptions) report(w io.Writer, outcome migration.Outcome) {
	old := strings.Join(outcome.Old, ", ")
	switch {
	case len(outcome.Old) == 0:
		fmt.Fprintf(w, "%s: all objects are stored in %s already\n", outcome.Resource, outcome.Stored)
	case outcome.Finished:
		fmt.Fprintf(w, "%s: all objects are stored in %s (written now: %d, so already: %d); %s is taken out of status.storedVersions\n",
			outcome.Resource, outcome.Stored, outcome.Written, outcome.Done-outcome.Written, old)
	case outcome.Err != nil:
		fmt.Fprintf(w, "%s: not finished, after %s: %v\n", outcome.Resource, problems.Many(outcome.Done, "object"), outcome.Err)
	case outcome.Failed > 0:
		fmt.Fprintf(w, "%s: %d of %s could not be written in %s and may still be stored in %s\n",
			outcome.Resource, outcome.Failed, problems.Many(outcome.Done, "object"), outcome.Stored, old)
	default:
		fmt.Fprintf(w, "%s: %s can be written in %s; nothing was (dry run)\n", outcome.Resource, problems.Many(outcome.Done, "object"), outcome.Stored)
	}
}
