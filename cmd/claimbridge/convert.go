package main

import (
	"cmp"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/batch"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/conversion"
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
	c.takes("to", append(conversion.Versions(), release.Names()...)...)
	fs.BoolVar(&o.Strict, "validate", true,
		"reject invalid objects; --validate=false warns, and drops data that cannot be preserved")
	o.inputFlags.addFlags(c)
	o.files.addFlags(c.FlagSet("files"))
	c.output(&o.Format, "yaml", "yaml, or json, with one compact object per line", yamldoc.Formats()...)
	fs = c.FlagSet("output")
	fs.BoolVar(&o.Atomic, "atomic", false, "write nothing unless everything succeeds")
	fs.BoolVar(&o.Explain, "explain", false, "print where fields of each object moved, and all warnings")
	fs.BoolVarP(&o.Quiet, "quiet", "q", false, "print errors only on standard error")
	o.reportFlags.addFlags(c)
	return c.whole()
}

func (o *convertFlags) check(cmd *cobra.Command) error {
	if o.to == "" {
		return usagef("--to is required: %s; or %s", oneOf(conversion.Versions()), release.RangeText())
	}
	target, err := release.ParseTarget(o.to)
	err = cmp.Or(when(err != nil, "--to: %w", err),
		checkOutput(o.Format, yamldoc.Formats(), oneOf(yamldoc.Formats())))
	if err != nil {
		return err
	}
	o.To = target
	o.Input.IncludeMarkdown = o.files.markdown
	if err := cmp.Or(
		when(o.Quiet && o.Explain, "--quiet and --explain are mutually exclusive"),
		o.files.check(cmd.Flags(), o.Atomic),
		o.reportFlags.check(o.files.stdoutFree()),
		o.inputFlags.check(cmd),
		o.files.checkNames(&o.inputFlags),
	); err != nil {
		return err
	}
	// Files are listed before there are reports, which are none of them.
	o.Recursive, o.IncludeOtherFiles = o.Recursive || o.files.any(), o.files.OutputDir != ""
	return o.checkInputs(cmd.InOrStdin(), &o.Input)
}

func (o *convertFlags) run(cmd *cobra.Command) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	release.WriteNote(cmd.ErrOrStderr(), o.To.Release)
	o.Groups, o.AcceptLeftovers = o.groups, o.files.acceptLeftovers
	o.RenderCommand = cmd.CommandPath() + " --check --diff --to " + cmp.Or(o.To.Release, o.To.Version)
	garbage := garbageOfStream
	if o.files.any() {
		garbage = garbageOfFiles
	}
	defer runtime.KeepAlive(ballast(garbage))
	return o.with(cmd, o.files.stdoutFree(), o.pending(), func(reports *findings.Reports, failOn findings.Severity) error {
		o.Reports, o.FailOn = reports, failOn
		if o.files.any() {
			// Files that --check found are named where nothing else names them, and no report has standard output.
			o.files.List = o.files.List ||
				o.files.wouldChange && o.files.stdoutFree() && !findings.TakesStdout(o.specs)
			failed, changed, err := batch.Files(cmd.Context(), o.Input, o.Options, o.files.FileOptions,
				cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
			return ended(failed, changed && o.files.wouldChange, err)
		}
		return batch.Stream(cmd.Context(), o.Input, o.Options, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
	})
}

// pending says how a report shows findings that are fixed in the output, if no file is written.
func (o *convertFlags) pending() findings.Pending {
	switch {
	case !o.files.any() || o.files.Writes():
		return findings.Pending{}
	case o.files.wouldChange: // which is the exit code 3 for each
		return findings.Pending{Severity: findings.Error, Version: o.To.Version}
	}
	return findings.Pending{Severity: findings.Warning, Version: o.To.Version}
}
