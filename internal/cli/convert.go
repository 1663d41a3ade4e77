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
	inputFlags
	batch.Options
	reportFlags
	files fileFlags
	to    string
}

func newConvertCommand() *cobra.Command {
	var o convertFlags
	c := newCommand("convert --to VERSION|RELEASE [[-f] FILE|FOLDER|-]...",
		"Convert claims and templates in files to another version",
		cobra.ArbitraryArgs, o.run)
	fs := c.FlagSet("conversion")
	fs.StringVar(&o.to, "to", "",
		"version, such as v1, or Kubernetes release, such as 1.36, whose rules then apply")
	c.completeWith("to", append(conversion.Versions(), release.Names()...)...)
	fs.BoolVar(&o.Validate, "validate", true,
		"reject invalid objects; --validate=false warns, and drops data that cannot be preserved")
	o.inputFlags.addFlags(c)
	o.files.addFlags(c.FlagSet("files"))
	c.addOutput(&o.Format, "yaml", "yaml, or json, with one compact object per line", yamldoc.Formats()...)
	fs = c.FlagSet("output")
	fs.BoolVar(&o.Atomic, "atomic", false, "write nothing unless everything succeeds")
	fs.BoolVar(&o.Explain, "explain", false, "print where fields of each object moved, and all warnings")
	fs.BoolVarP(&o.Quiet, "quiet", "q", false, "print errors only on standard error")
	o.reportFlags.addFlags(c)
	return c.build()
}

// validate returns a usage error for invalid flags, and fills in the options of the conversion.
func (o *convertFlags) validate(cmd *cobra.Command) error {
	if o.to == "" {
		return usagef("--to is required: %s; or %s", oneOf(conversion.Versions()), release.RangeText())
	}
	target, err := release.ParseTarget(targetName(o.to))
	err = cmp.Or(usageErrorIf(err != nil, "--to: %w", err),
		validateOutput(o.Format, yamldoc.Formats(), oneOf(yamldoc.Formats())))
	if err != nil {
		return err
	}
	o.To = target
	o.Input.IncludeMarkdown = o.files.markdown
	if err := cmp.Or(
		usageErrorIf(o.Quiet && o.Explain, "--quiet and --explain are mutually exclusive"),
		o.files.validate(cmd.Flags(), o.Atomic),
		o.reportFlags.validate(o.files.isStdoutFree()),
		o.inputFlags.validate(cmd),
		o.files.validateNames(&o.inputFlags),
	); err != nil {
		return err
	}
	// Files are listed before reports are created, so that no report is read as an input.
	o.Recursive = o.Recursive || o.files.editsFiles()
	o.IncludeOtherFiles = o.files.OutputDir != ""
	return o.validateInputs(cmd.InOrStdin(), &o.Input)
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
	release.WriteNote(cmd.ErrOrStderr(), o.To.Release)
	o.Groups, o.AcceptLeftovers = o.groups, o.files.acceptLeftovers
	o.RenderCommand = cmd.CommandPath() + " --check --diff --to " + cmp.Or(o.To.Release, o.To.Version)
	size := streamBallast
	if o.files.editsFiles() {
		size = filesBallast
	}
	defer runtime.KeepAlive(ballast(size))
	work := func(reports *findings.Reports, failOn findings.Severity) error {
		o.Reports, o.FailOn = reports, failOn
		if o.files.editsFiles() {
			// --check lists files unless a diff or a report is written to standard output.
			o.files.List = o.files.List ||
				o.files.isCheck && o.files.isStdoutFree() && !findings.TakesStdout(o.specs)
			failed, changed, err := batch.Files(cmd.Context(), o.Input, o.Options, o.files.FileOptions,
				cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
			return filesError(failed, changed && o.files.isCheck, err)
		}
		return batch.Stream(cmd.Context(), o.Input, o.Options, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	return o.withReports(cmd, o.files.isStdoutFree(), o.pending(), work)
}

// pending returns how a report shows findings that a conversion would fix, if no file is written.
func (o *convertFlags) pending() findings.Pending {
	switch {
	case !o.files.editsFiles() || o.files.Writes():
		return findings.Pending{}
	case o.files.isCheck: // each of them sets exit code 3
		return findings.Pending{Severity: findings.Error, Version: o.To.Version}
	}
	return findings.Pending{Severity: findings.Warning, Version: o.To.Version}
}
