package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/webhook/preflight"
)

type preflightOptions struct {
	cluster *clusterFlags
	checks  preflight.Options
	output  string
}

func newPreflightCommand() *cobra.Command {
	o := preflightOptions{cluster: newClusterFlags()}
	c := newCommand("preflight", "Check an installation in a cluster, or whether a cluster is ready for one",
		cobra.NoArgs, o.run)
	fs := c.FlagSet("preflight")
	fs.StringVar(&o.checks.Group, "group", "",
		"API group of the claims (default the group of the server in --namespace)")
	fs.StringVarP(&o.checks.Namespace, "namespace", "n", config.DefaultNamespace, "namespace of the server")
	fs.StringVar((*string)(&o.checks.Certificates), "certificates", "",
		"source of certificates in a planned installation: "+
			"cert-manager, self or files (default cert-manager before an installation)")
	fs.StringVar(&o.checks.ClaimNamespace, "claim-namespace", "default",
		"namespace in which claims are created as a dry run")
	fs.DurationVar(&o.checks.ClaimTimeout, "claim-timeout", time.Minute,
		"time limit of each check that writes or reads claims")
	fs.StringSliceVar(&o.checks.Skip, "skip", nil, "check to skip; repeatable")
	fs.DurationVar(&o.checks.Wait, "wait", 0, "how long to repeat the checks until they pass, such as 2m")
	o.cluster.addFlags(c)
	o.cluster.addTimeoutFlag()
	c.addOutput(&o.output, "text", "output format: text, or json, with one line per check", textOrJSON...)
	c.FlagSet("output").Bool("verbose", false, "no effect: each check has a line")
	_ = c.FlagSet("output").MarkHidden("verbose") // accepted for scripts that were written for 0.1
	var checks []string
	for _, check := range preflight.Checks {
		checks = append(checks, cobra.CompletionWithDesc(check.Name, check.Description))
	}
	c.completeWith("skip", checks...)
	c.completeWith("certificates", certificateModes...)
	return c.build()
}

// check returns a usage error for invalid flags.
func (o *preflightOptions) check(cmd *cobra.Command) error {
	optionsErr := o.checks.Validate()
	certificates := string(o.checks.Certificates)
	return cmp.Or(
		validateOutput(o.output, textOrJSON, "text or json"),
		usageErrorIf(o.checks.Group == "" && cmd.Flags().Changed("group"), "--group must not be empty"),
		usageErrorIf(o.checks.Namespace == "", "--namespace must not be empty"),
		usageErrorIf(cmd.Flags().Changed("certificates") && !slices.Contains(certificateModes, certificates),
			"--certificates=%.100s: must be %s", certificates, oneOf(certificateModes)),
		usageErrorIf(o.checks.ClaimNamespace == "", "--claim-namespace must not be empty"),
		usageErrorIf(o.checks.ClaimTimeout <= 0, "--claim-timeout=%s: must be greater than 0", o.checks.ClaimTimeout),
		usageErrorIf(o.checks.Wait < 0, "--wait=%s: must not be negative", o.checks.Wait),
		usageErrorIf(optionsErr != nil, "%w", optionsErr),
	)
}

func (o *preflightOptions) run(cmd *cobra.Command) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	cluster, err := o.cluster.config()
	if err != nil {
		return err
	}
	results, err := preflight.Run(cmd.Context(), cluster, o.checks)
	if errors.Is(err, preflight.ErrNoGroup) {
		return usagef("--group is required: %w", err)
	}
	if err != nil {
		return err
	}
	if o.output == "json" {
		err = writeJSONLines(cmd.OutOrStdout(), results)
	} else {
		err = writeResults(cmd.OutOrStdout(), results)
	}
	if err != nil {
		return err
	}
	if slices.ContainsFunc(results, preflight.Result.Failed) {
		return errors.New(countResults(results, preflight.Problem, preflight.Unknown))
	}
	return nil
}

// marks of results, like those of `linkerd check`.
var marks = map[preflight.State]string{
	preflight.OK:      "√",
	preflight.Warning: "‼",
	preflight.Unknown: "?",
	preflight.Problem: "×",
	preflight.Skipped: "-",
}

// writeResults writes a line for each check, followed by what is wrong and a link to the documentation.
func writeResults(out io.Writer, results []preflight.Result) error {
	var b strings.Builder
	for _, r := range results {
		fmt.Fprintf(&b, "%s %s", marks[r.State], r.Check)
		if r.SkippedBecause != "" {
			fmt.Fprintf(&b, " (skipped, see %s)", r.SkippedBecause)
		}
		b.WriteByte('\n')
		for _, reason := range r.Reasons {
			fmt.Fprintf(&b, "    %s\n", reason)
		}
		if r.Hint != "" {
			fmt.Fprintf(&b, "    see %s\n", r.Hint)
		}
	}
	counts := countResults(results, preflight.Problem, preflight.Unknown, preflight.Warning)
	fmt.Fprintf(&b, "%s (%s)\n", cmp.Or(counts, "no problems found"), findings.Count(len(results), "check"))
	_, err := io.WriteString(out, b.String())
	return err
}

// countResults returns how many results have each of the states, like "2 problems, 1 warning".
func countResults(results []preflight.Result, states ...preflight.State) string {
	var parts []string
	for _, state := range states {
		count := 0
		for _, r := range results {
			if r.State == state {
				count++
			}
		}
		switch {
		case count == 0:
		case state == preflight.Unknown:
			parts = append(parts, fmt.Sprintf("%d unknown", count))
		default:
			parts = append(parts, findings.Count(count, string(state)))
		}
	}
	return strings.Join(parts, ", ")
}
