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
	input   inputFlags
	options validate.Options
	reports reportFlags

	operationFlag, oldFlag, releaseFlag string
}

func newValidateCommand() *cobra.Command {
	var o validateFlags
	c := newCommand("validate [[-f] FILE|DIRECTORY|-]...",
		"Validate claims and templates in files as the API server does",
		cobra.ArbitraryArgs, o.run)
	c.Long = strings.Replace(c.Long, "RELEASES", release.DefaultsHelp(), 1)
	fs := c.FlagSet("validation")
	fs.StringVar(&o.operationFlag, "operation", "create", "write to validate: "+strings.Join(operationNames, ", "))
	c.completeWith("operation", operationNames...)
	fs.StringVar(&o.releaseFlag, "kubernetes-release", "",
		"Kubernetes release whose rules apply, "+release.Names()[0]+
			" or later (the default depends on the version, see above)")
	c.completeWith("kubernetes-release", validation.AllReleases()...)
	fs.StringVar(&o.oldFlag, "old", "",
		"file or directory with the old objects, or - for standard input, for update and status")
	_ = cobra.MarkFlagFilename(fs, "old", extensions...) // fails only for flags that do not exist
	o.input.addFlags(c)
	c.addOutput(&o.options.Format, validate.Formats()[0],
		"output format: text, json, with one line per object, or yaml, with one document per object",
		validate.Formats()...)
	fs = c.FlagSet("output")
	fs.BoolVar(&o.options.Verbose, "verbose", false, "list skipped documents on standard error")
	fs.BoolVarP(&o.options.Quiet, "quiet", "q", false,
		"print only errors on standard error, and only rejected objects in text output")
	o.reports.addFlags(c)
	return c.build()
}

// validate returns a usage error for invalid flags, and fills in the options of the validation.
func (o *validateFlags) validate(cmd *cobra.Command) error {
	var releaseErr error
	if cmd.Flags().Changed("kubernetes-release") {
		o.options.Release, releaseErr = release.ParseName(o.releaseFlag)
	}
	if err := cmp.Or(
		usageErrorIf(!slices.Contains(operationNames, o.operationFlag),
			"--operation: unknown operation %q, must be %s", o.operationFlag, oneOf(operationNames)),
		usageErrorIf(releaseErr != nil, "--kubernetes-release: %w", releaseErr),
		validateOutput(o.options.Format, validate.Formats(), oneOf(validate.Formats())),
		usageErrorIf(o.options.Quiet && o.options.Verbose, "--quiet and --verbose are mutually exclusive"),
		usageErrorIf(o.operationFlag == "create" && o.oldFlag != "",
			"--old: a create has no old object; use --operation=update or --operation=status"),
		usageErrorIf(o.operationFlag != "create" && o.oldFlag == "",
			"--old is required with --operation=%s: name a file with the old objects", o.operationFlag),
		o.reports.validate(false),
		o.input.validate(cmd),
		usageErrorIf(o.oldFlag == "-" && slices.Contains(o.input.Files, "-"),
			"--old and --filename cannot both read standard input"),
	); err != nil {
		return err
	}
	o.options.Groups = o.input.groups
	o.options.Operation = operations[o.operationFlag]
	o.input.PipeCommand = cmd.CommandPath()
	inputs := []*input.Input{&o.input.Input}
	if o.oldFlag != "" {
		o.options.Old = &input.Input{Files: []string{o.oldFlag}, Recursive: o.input.Recursive}
		inputs = append(inputs, o.options.Old)
	}
	return o.reports.validateInputs(cmd.InOrStdin(), inputs...)
}

func (o *validateFlags) run(cmd *cobra.Command) error {
	if err := o.validate(cmd); err != nil {
		return err
	}
	if !o.options.Quiet {
		release.WriteNote(cmd.ErrOrStderr(), o.options.Release)
	}
	work := func(reports *findings.Reports, failOn findings.Severity) error {
		options := o.options
		options.Reports = reports
		options.FailOn = failOn
		return validate.Run(o.input.Input, options, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	return o.reports.withReports(cmd, false, findings.DryRun{}, work)
}
