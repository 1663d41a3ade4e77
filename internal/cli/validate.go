package cli

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/internal/validate"
	"github.com/claimbridge/claimbridge/validation"
)

// Values of --operation.
var (
	operations = map[string]validation.Operation{
		"create": validation.Create, "update": validation.Update, "status": validation.UpdateStatus,
	}
	operationNames = []string{"create", "update", "status"}
)

type validateFlags struct {
	inputFlags
	validate.Options
	reportFlags
	operation, old, release string
}

func newValidateCommand() *cobra.Command {
	var o validateFlags
	c := newCommand("validate [[-f] FILE|FOLDER|-]...", "Validate claims and templates in files as the API server does",
		cobra.ArbitraryArgs, o.run)
	c.Long = strings.Replace(c.Long, "RELEASES", release.DefaultsHelp(), 1)
	fs := c.FlagSet("validation")
	fs.StringVar(&o.operation, "operation", "create", "write to validate: "+strings.Join(operationNames, ", "))
	c.completeWith("operation", operationNames...)
	fs.StringVar(&o.release, "kubernetes-release", "",
		"Kubernetes release whose rules apply, "+release.Names()[0]+" or later (default of each version)")
	c.completeWith("kubernetes-release", validation.AllReleases()...)
	fs.StringVar(&o.old, "old", "",
		"file or folder with the old objects, or - for standard input, for update and status")
	_ = cobra.MarkFlagFilename(fs, "old", extensions...) // fails only for flags that do not exist
	o.inputFlags.addFlags(c)
	c.addOutput(&o.Format, validate.Formats()[0],
		"output format: text, json, with one line per object, or yaml, with one document per object",
		validate.Formats()...)
	fs = c.FlagSet("output")
	fs.BoolVar(&o.Verbose, "verbose", false, "list skipped documents on standard error")
	fs.BoolVarP(&o.Quiet, "quiet", "q", false,
		"print errors only on standard error, and rejected objects only in text output")
	o.reportFlags.addFlags(c)
	return c.build()
}

// validate returns a usage error for invalid flags.
func (o *validateFlags) validate(cmd *cobra.Command) error {
	var releaseErr error
	if cmd.Flags().Changed("kubernetes-release") {
		o.Release, releaseErr = release.ParseName(o.release)
	}
	if err := cmp.Or(
		usageErrorIf(!slices.Contains(operationNames, o.operation),
			"--operation: unknown operation %q, must be %s", o.operation, oneOf(operationNames)),
		usageErrorIf(releaseErr != nil, "--kubernetes-release: %w", releaseErr),
		validateOutput(o.Format, validate.Formats(), oneOf(validate.Formats())),
		usageErrorIf(o.Quiet && o.Verbose, "--quiet and --verbose are mutually exclusive"),
		usageErrorIf(o.operation == "create" && o.old != "",
			"--old: a create has no old object; use --operation=update or --operation=status"),
		usageErrorIf(o.operation != "create" && o.old == "",
			"--old is required with --operation=%s: name a file with the old objects", o.operation),
		o.reportFlags.validate(false),
		o.inputFlags.validate(cmd),
		usageErrorIf(o.old == "-" && slices.Contains(o.Files, "-"), "--old and --filename cannot both read standard input"),
	); err != nil {
		return err
	}
	inputs := []*input.Input{&o.Input}
	if o.old != "" {
		o.Old = &input.Input{Files: []string{o.old}, Recursive: o.Recursive}
		inputs = append(inputs, o.Old)
	}
	return o.validateInputs(cmd.InOrStdin(), inputs...)
}

func (o *validateFlags) run(cmd *cobra.Command) error {
	if err := o.validate(cmd); err != nil {
		return err
	}
	release.WriteNote(cmd.ErrOrStderr(), o.Release)
	o.Groups, o.Operation, o.RenderCommand = o.groups, operations[o.operation], cmd.CommandPath()
	return o.withReports(cmd, false, findings.Pending{}, func(reports *findings.Reports, failOn findings.Severity) error {
		o.Reports, o.FailOn = reports, failOn
		return validate.Run(o.Input, o.Options, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
	})
}
