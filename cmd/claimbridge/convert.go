package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/convert"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/report"
	"github.com/claimbridge/claimbridge/conversion"
)

const convertLong = `Convert ResourceClaims and ResourceClaimTemplates to another version.

Reads multi-document YAML, JSON, concatenated JSON, lists (kind List, ResourceList, ResourceClaimList and
ResourceClaimTemplateList) and folders, and writes everything to standard output, in the order it was read. Of other kinds it changes
what has to change together with claims and can be known from the object alone, where pods name their claims and the apiVersion of a
DeviceClass or a ResourceSlice of the same shape; everything else passes through unchanged and in place. --to names a version, or a release of Kubernetes for the version that it prefers: 1.26 v1alpha1,
1.27 to 1.30 v1alpha2, 1.31 v1alpha3, 1.32 v1beta1, 1.33 v1beta2, since 1.34 v1. With a release, what its API server would
refuse is an error, and fields that it does not have or drops by default are warnings.

Nothing is added that the author did not write: defaults are left to the API server, and those that are spelled out stay where
the new version has a field for them. What the new version has no field for travels as a leftover, in configuration entries or in
annotations of claimbridge.dev, and is put back by converting the other way.

With --write, --list, --diff, --check or --output-dir files are converted where they stand, and folders are read with their
subfolders: of each file only what has to change does, comments, blank lines, quotes and order stay, and so does everything
that is no claim. A file with an error is left as it is. What would travel as a leftover is an error then, unless
--accept-leftovers is given, and so is a document that cannot be edited, unless --rewrite is. A file that holds no object is
skipped, and so is a template, unless it names another version or has a field that moved. Lines of other files that name another version
are counted, --also=text prints them. The last line says what became of all.

An object that fails is not written and is reported on standard error with its file, document, line, name and field; the
rest goes on. With --atomic nothing is written unless everything succeeds. A line at the end counts what became of all.

Warnings name what was passed over although it looks like a claim, and what must still be done by hand: parameters and
handles that no driver reads any more, classes, roles, webhooks, policies and patches that name other versions. Of one sort ten are
printed, all with --explain. 'claimbridge rules' lists what is looked for, and --report hands all of it to programs.

Exit code: 0 all is written, 1 something failed, or there are warnings with --fail-on=warning, 2 the command line is wrong,
3 a file would change (--check).

How live claims are brought over to a cluster that serves another version: docs/command-line.md.`

const convertExample = `  # A repository: change what has to change, and look at it with git diff
  claimbridge convert --to 1.36 --write .

  # And in CI: is there anything left to change?
  claimbridge convert --to 1.36 --check --diff .

  # A manifest of any release for Kubernetes 1.36
  claimbridge convert --to 1.36 -f claim.yaml > claim-1.36.yaml

  # A folder with its subfolders, all or nothing, and what went where
  claimbridge convert --to v1 -f manifests/ -R --atomic --explain

  # What is found, as JSON, and as annotations of GitHub
  claimbridge convert --to 1.36 -f manifests/ -R --report json=found.json --report github > /dev/null

  # A dump, one object a line
  kubectl get resourceclaims -A -o json | claimbridge convert --to v1beta1 -o json

  # Claims of a mirror group
  claimbridge convert --to v1 -f claims.yaml --group claims.example.com`

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
	cmd := &cobra.Command{
		Use:     "convert --to VERSION|RELEASE [[-f] FILE|FOLDER|-]...",
		Short:   "Convert claims and templates in files to another version",
		Long:    convertLong,
		Example: convertExample,
		Args:    cobra.ArbitraryArgs, // files
		RunE:    begin(o.run),
	}
	var f flags
	fs := f.FlagSet("conversion")
	fs.StringVar(&o.to, "to", "", "version to convert to: "+strings.Join(conversion.Versions(), ", ")+
		"; or a release of Kubernetes, like 1.36, for the version that it prefers, and what it would refuse is an error")
	f.takes("to", append(conversion.Versions(), release.Names()...)...)
	fs.BoolVar(&o.Strict, "validate", true, "make errors of unknown and duplicate fields, of what the version has no place for, and of what its API server would refuse. With --validate=false they are warnings, and what has no place is dropped.")
	o.inputFlags.addFlags(f.FlagSet("input"))
	o.files.addFlags(f.FlagSet("files"))
	fs = f.FlagSet("input")
	fs.StringSliceVar(&o.also, "also", nil, "look at more than objects: text, which prints each line that names another version of resource.k8s.io, and what to write, in documents of other kinds and files of folders that are no manifests")
	f.takes("also", "text")
	f.output(&o.Format, "yaml", "output format: yaml, or json, which is one compact object a line", manifest.Formats()...)
	fs = f.FlagSet("output")
	fs.BoolVar(&o.Atomic, "atomic", false, "write nothing unless all input is converted. The output waits in a temporary file until then; files that are written wait each in one of their own.")
	fs.BoolVar(&o.Explain, "explain", false, "say on standard error, for each object, what moved where, what is carried as a leftover and what no driver reads; print all warnings")
	o.reportFlags.addFlags(&f)
	f.addTo(cmd)
	o.complete(cmd)
	return cmd
}

func (o *convertFlags) check(cmd *cobra.Command) error {
	if o.to == "" {
		all := release.Names()
		return usagef("--to is required: %s, or a release from %s to %s", oneOf(conversion.Versions()), all[0], all[len(all)-1])
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
		if what != "text" {
			return usagef("--also: unknown %q, must be text", what)
		}
		o.Also = true
	}
	if err := o.files.check(cmd.Flags(), o.Atomic); err != nil {
		return err
	}
	if err := o.reportFlags.check(o.files.stdoutFree()); err != nil {
		return err
	}
	if err := o.inputFlags.check(cmd.Flags().Args(), cmd.InOrStdin()); err != nil {
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
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	floor := uint64(heapFloor)
	if o.files.any() {
		floor = filesHeapFloor
	}
	keepHeapFloor(ctx, floor)
	return o.with(cmd, o.files.stdoutFree(), func(reports *report.Set, failOn finding.Severity) error {
		o.Reports, o.FailOn = reports, failOn
		if o.files.any() {
			return o.runInFiles(cmd)
		}
		return convert.Run(cmd.Context(), o.Input, o.Options, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
	})
}
