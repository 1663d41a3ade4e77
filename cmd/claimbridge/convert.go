package main

import (
	"runtime"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/convert"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/report"
	"github.com/claimbridge/claimbridge/conversion"
)

const convertLong = `Convert ResourceClaims and ResourceClaimTemplates to another version.

Reads YAML, JSON, lists and folders, and writes everything to standard output in the order it was read; with
--write, --list, --diff, --check or --output-dir it converts files where they stand, in subfolders too. Only
what has to change does: comments and order stay, and other objects but pods and classes that go with claims.

What the version has no field for travels in entries and annotations of claimbridge.dev, and comes back the
other way. In a stream that is a warning; in files in place it is an error without --accept-leftovers, but for
allocationMode Immediate. An object that fails is not written, a file with an error stays as it is; standard
error says where and why, and 'claimbridge rules NAME' says more.

Exit code: 0 all is written, 1 something failed, or a warning with --fail-on=warning, 2 wrong command line,
3 a file would change (--check). docs/command-line.md says how live claims come to another cluster.`

const convertExample = `  claimbridge convert --to 1.36 --write .                                    # a repository
  claimbridge convert --to 1.36 --check --diff .                             # and in CI
  claimbridge convert --to 1.36 -f claim.yaml > claim-1.36.yaml              # a stream
  claimbridge convert --to v1 -f manifests/ -R --atomic --explain            # what went where
  kubectl get resourceclaims -A -o json | claimbridge convert --to v1beta1 -o json`

type convertFlags struct {
	inputFlags
	convert.Options
	reportFlags
	files fileFlags
	to    string
	also  []string
}

func newConvertCommand() *cobra.Command {
	var o convertFlags
	c := newCommand("convert --to VERSION|RELEASE [[-f] FILE|FOLDER|-]...", "Convert claims and templates in files to another version",
		convertLong, convertExample, cobra.ArbitraryArgs, o.run)
	fs := c.FlagSet("conversion")
	fs.StringVar(&o.to, "to", "", "version, as v1; or release of Kubernetes, as 1.36: what its API server would refuse is an error")
	c.takes("to", append(conversion.Versions(), release.Names()...)...)
	fs.BoolVar(&o.Strict, "validate", true, "refuse what is wrong; --validate=false warns of it, and drops what has no place")
	o.inputFlags.addFlags(c)
	o.files.addFlags(c.FlagSet("files"))
	fs.StringSliceVar(&o.also, "also", nil, "text: show lines of other files that name another version; markdown: edit YAML in pages")
	c.takes("also", "text", "markdown")
	c.output(&o.Format, "yaml", "yaml, or json, which is one compact object a line", manifest.Formats()...)
	fs = c.FlagSet("output")
	fs.BoolVar(&o.Atomic, "atomic", false, "write nothing unless everything succeeds")
	fs.BoolVar(&o.Explain, "explain", false, "say what moved where in each object, and print all warnings")
	o.reportFlags.addFlags(c)
	return c.whole()
}

func (o *convertFlags) check(cmd *cobra.Command) error {
	if o.to == "" {
		return usagef("--to is required: %s; or %s", oneOf(conversion.Versions()), release.All())
	}
	target, err := release.Of(o.to)
	if err != nil {
		return usagef("--to: %w", err)
	}
	o.To = target
	if err := checkOutput(o.Format, manifest.Formats(), oneOf(manifest.Formats())); err != nil {
		return err
	}
	for _, what := range o.also {
		switch {
		case what == "text":
			o.Also = true
		case what != "markdown":
			return usagef("--also: unknown %q, must be text or markdown", what)
		case !o.files.any():
			return usagef("--also=markdown goes with %s", inPlace)
		}
		o.Pages = o.Pages || what == "markdown"
	}
	if err := o.files.check(cmd.Flags(), o.Atomic); err != nil {
		return err
	}
	if err := o.reportFlags.check(o.files.stdoutFree()); err != nil {
		return err
	}
	if err := o.inputFlags.check(cmd); err != nil {
		return err
	}
	if err := o.files.checkNames(&o.inputFlags); err != nil {
		return err
	}
	// Files are listed before there are reports, which are none of them.
	o.Recursive, o.Others, o.WithTexts, o.TellTexts = o.Recursive || o.files.any(), o.files.OutputDir != "", true, o.Also
	return o.checkInputs(cmd.InOrStdin(), &o.Input)
}

func (o *convertFlags) run(cmd *cobra.Command) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	release.Note(cmd.ErrOrStderr(), o.To.Release)
	o.Groups = o.groups
	garbage := garbageOfStream
	if o.files.any() {
		garbage = garbageOfFiles
	}
	defer runtime.KeepAlive(ballast(garbage))
	return o.with(cmd, o.files.stdoutFree(), func(reports *report.Set, failOn finding.Severity) error {
		o.Reports, o.FailOn = reports, failOn
		if o.files.any() {
			o.files.listIfAlone(o.specs)
			outcome, err := convert.RunInFiles(cmd.Context(), o.Input, o.Options, o.files.InFiles, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
			return ended(outcome.Failed, outcome.Changed && o.files.wouldChange, err)
		}
		return convert.Run(cmd.Context(), o.Input, o.Options, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
	})
}
