package cli

import (
	"cmp"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/batch"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

type convertFlags struct {
	input   inputFlags
	options batch.Options
	reports reportFlags
	files   fileFlags
	toFlag  string
}

func newConvertCommand() *cobra.Command {
	var o convertFlags
	c := newCommand("convert --to VERSION|RELEASE [[-f] FILE|DIRECTORY|-]...",
		"Convert claims and templates in files to another version",
		cobra.ArbitraryArgs, o.run)
	fs := c.FlagSet("conversion")
	fs.StringVar(&o.toFlag, "to", "",
		"version, such as v1, or Kubernetes release, such as 1.36, whose rules then apply")
	c.completeWith("to", append(conversion.Versions(), release.Names()...)...)
	fs.BoolVar(&o.options.Validate, "validate", true,
		"reject invalid objects; --validate=false warns, and drops data that cannot be preserved")
	o.input.addFlags(c)
	o.files.addFlags(c.FlagSet("files"))
	c.addOutput(&o.options.Format, "yaml", "yaml, or json, with one compact object per line", yamldoc.Formats()...)
	fs = c.FlagSet("output")
	fs.BoolVar(&o.options.Atomic, "atomic", false, "write nothing unless everything succeeds")
	fs.BoolVar(&o.options.Explain, "explain", false, "print where fields of each object moved, and all warnings")
	fs.BoolVarP(&o.options.Quiet, "quiet", "q", false, "print only errors on standard error")
	o.reports.addFlags(c)
	return c.build()
}

// validate returns a usage error for invalid flags, and fills in the options of the conversion.
func (o *convertFlags) validate(cmd *cobra.Command) error {
	if o.toFlag == "" {
		return usagef("--to is required: %s; or %s", oneOf(conversion.Versions()), release.RangeText())
	}
	target, err := release.ParseTarget(targetName(o.toFlag))
	err = cmp.Or(usageErrorIf(err != nil, "--to: %w", err),
		validateOutput(o.options.Format, yamldoc.Formats(), oneOf(yamldoc.Formats())))
	if err != nil {
		return err
	}
	if o.options.Quiet && o.options.Explain {
		return usagef("--quiet and --explain are mutually exclusive")
	}
	if err := o.files.validate(cmd.Flags(), o.options.Atomic); err != nil {
		return err
	}
	if err := o.reports.validate(o.files.isStdoutFree()); err != nil {
		return err
	}
	if err := o.input.validate(cmd); err != nil {
		return err
	}
	outputDir, err := o.files.absoluteOutputDir()
	if err != nil {
		return err
	}
	if err := o.files.validateNames(o.input.Files, outputDir); err != nil {
		return err
	}
	o.input.SkipDir = outputDir
	o.options.To = target
	o.options.Groups = o.input.groups
	o.options.AcceptLeftovers = o.files.acceptLeftovers
	in := &o.input.Input
	in.IncludeMarkdown = o.files.markdown
	in.IncludeOtherFiles = o.files.OutputDir != ""
	in.Recursive = in.Recursive || o.files.editsFiles()
	in.PipeCommand = cmd.CommandPath() + " --check --diff --to " + cmp.Or(target.Release, target.Version)
	// Files are listed before reports are created, so that no report is read as an input.
	return o.reports.validateInputs(cmd.InOrStdin(), in)
}

// targetName returns the version of an apiVersion of claims, or the value of --to unchanged.
func targetName(to string) string {
	version, isAPIVersion := strings.CutPrefix(to, api.Group+"/")
	if _, isKnown := api.Find(version); isAPIVersion && isKnown {
		return version
	}
	return to
}

func (o *convertFlags) run(cmd *cobra.Command) error {
	if err := o.validate(cmd); err != nil {
		return err
	}
	if !o.options.Quiet {
		release.WriteNote(cmd.ErrOrStderr(), o.options.To.Release)
	}
	size := streamBallast
	if o.files.editsFiles() {
		size = filesBallast
	}
	defer runtime.KeepAlive(ballast(size))
	work := func(reports *findings.Reports, failOn findings.Severity) error {
		in := o.input.Input
		options := o.options
		options.Reports = reports
		options.FailOn = failOn
		if o.files.editsFiles() {
			inPlace := o.files.FileOptions
			inPlace.List = o.listsFiles()
			failed, changed, err := batch.Files(cmd.Context(), in, options, inPlace,
				cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
			return filesError(failed, changed && o.files.isCheck, err)
		}
		return batch.Stream(cmd.Context(), in, options, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	return o.reports.withReports(cmd, o.files.isStdoutFree(), o.dryRun(), work)
}

// listsFiles reports whether the names of files that change are printed. --check prints them unless a diff or a report
// is written to standard output.
func (o *convertFlags) listsFiles() bool {
	checkListsFiles := o.files.isCheck && o.files.isStdoutFree() && !findings.TakesStdout(o.reports.specs)
	return o.files.List || checkListsFiles
}

// dryRun returns how a report shows findings that a conversion would fix, if no file is written.
func (o *convertFlags) dryRun() findings.DryRun {
	switch {
	case !o.files.editsFiles() || o.files.Writes():
		return findings.DryRun{}
	case o.files.isCheck: // each of them sets exit code 3
		return findings.DryRun{Severity: findings.Error, Version: o.options.To.Version}
	}
	return findings.DryRun{Severity: findings.Warning, Version: o.options.To.Version}
}
