package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/report"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/validate"
	"github.com/claimbridge/claimbridge/validation"
)

var validateLong = `Validate ResourceClaims and ResourceClaimTemplates by the rules of the API server of a release of Kubernetes:
` + release.Usual() + `. They are the rules of
the webhook. --kubernetes-release names another release for all of them: then a version that it does not serve is refused.

Reads what convert reads. Objects of other kinds are skipped, --verbose says which.

A create does not judge status, since the API server drops it: --operation=status does. For update and status, --old names a file with the
objects as they were; they are found by kind, namespace and name.
An old object of another version is converted first, as the API server does.

With -o json there is one line an object on standard output, always with the same keys, of which docs/command-line.md has an example;
-o yaml says the same in YAML.

With --report refusals and warnings are findings, in the formats of convert.

Exit code: 0 all are allowed, 1 one is refused, could not be read, or there is none, or there are warnings with --fail-on=warning, 2 the
command line is wrong.`

const validateExample = `  # Would these be created?
  claimbridge validate -f manifests/ -R

  # And on Kubernetes 1.37?
  claimbridge validate -f manifests/ -R --kubernetes-release 1.37

  # May the status be written like this?
  kubectl get resourceclaim a -o yaml > old.yaml
  claimbridge validate -f new.yaml --operation status --old old.yaml -o json`

// operations by what --operation calls them.
var (
	operations     = map[string]validation.Operation{"create": validation.Create, "update": validation.Update, "status": validation.UpdateStatus}
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
		validateLong, validateExample, cobra.ArbitraryArgs, o.run)
	fs := c.FlagSet("validation")
	fs.StringVar(&o.operation, "operation", "create", "the write to judge: "+strings.Join(operationNames, ", "))
	c.takes("operation", operationNames...)
	fs.StringVar(&o.release, "kubernetes-release", "", "release of Kubernetes whose API server judges, "+release.Names()[0]+" or later. Default: that of each version.")
	c.takes("kubernetes-release", validation.AllReleases()...)
	fs.StringVar(&o.old, "old", "", "file or folder with the objects as they were, for update and status; - for standard input")
	_ = cobra.MarkFlagFilename(fs, "old", extensions...) // fails only for flags that are not there
	o.inputFlags.addFlags(c)
	c.output(&o.Format, validate.Formats()[0], "output format: text, json, which is one line an object, or yaml, which is one document an object", validate.Formats()...)
	c.FlagSet("output").BoolVar(&o.Verbose, "verbose", false, "say on standard error which documents are skipped")
	o.reportFlags.addFlags(c)
	return c.whole()
}

func (o *validateFlags) check(cmd *cobra.Command) error {
	if !slices.Contains(operationNames, o.operation) {
		return usagef("--operation: unknown operation %q, must be %s", o.operation, oneOf(operationNames))
	}
	if cmd.Flags().Changed("kubernetes-release") {
		name, err := release.Name(o.release)
		if err != nil {
			return usagef("--kubernetes-release: %w", err)
		}
		o.Release = name
	}
	if err := checkOutput(o.Format, validate.Formats(), oneOf(validate.Formats())); err != nil {
		return err
	}
	switch {
	case o.operation == "create" && o.old != "":
		return usagef("--old: a create has no old object, it goes with --operation=update or --operation=status")
	case o.operation != "create" && o.old == "":
		return usagef("--old is required with --operation=%s: name a file with the objects as they were", o.operation)
	}
	if err := o.reportFlags.check(false); err != nil {
		return err
	}
	if err := o.inputFlags.check(cmd); err != nil {
		return err
	}
	if o.old == "-" && slices.Contains(o.Files, "-") {
		return usagef("--old and --filename cannot both read standard input")
	}
	inputs := []*input.Input{&o.Input}
	if o.old != "" {
		o.Old = &input.Input{Files: []string{o.old}, Recursive: o.Recursive}
		inputs = append(inputs, o.Old)
	}
	return o.checkInputs(cmd.InOrStdin(), inputs...)
}

func (o *validateFlags) run(cmd *cobra.Command) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	release.Note(cmd.ErrOrStderr(), o.Release)
	o.Groups, o.Operation = o.groups, operations[o.operation]
	return o.with(cmd, false, func(reports *report.Set, failOn finding.Severity) error {
		o.Reports, o.FailOn = reports, failOn
		return validate.Run(o.Input, o.Options, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
	})
}
