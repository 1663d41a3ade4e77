package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	cliflag "k8s.io/component-base/cli/flag"

	"github.com/claimbridge/claimbridge/validation"
)

const validateLong = `Validate ResourceClaims and ResourceClaimTemplates by the rules of the API server of their version's own
release: v1alpha1 as Kubernetes 1.26, v1alpha2 as 1.30, v1alpha3 as 1.31. They are the rules of the webhook.

Reads what convert reads. Objects of other kinds are skipped, --verbose says which.

For update and status, --old names a file with the objects as they were; they are found by kind, namespace and name.
An old object of another version is converted first, as the API server does.

With -o json there is one line an object on standard output:

  {"file":"a.yaml","document":1,"item":"","line":1,"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","namespace":"default","name":"a",
   "allowed":false,"errors":[{"rule":"spec-is-immutable","type":"FieldValueInvalid","field":"spec","message":"..."}],"warnings":[]}

(on one line, always with the same keys; item is items[7] in a list, and line is 0 when it is not known). -o yaml says the
same in YAML.

Exit code: 0 all are allowed, 1 one is refused, could not be read, or there is none, 2 the command line is wrong.`

const validateExample = `  # Would these be created?
  claimbridge validate -f manifests/ -R

  # May the status be written like this?
  kubectl get resourceclaim a -o yaml > old.yaml
  claimbridge validate -f new.yaml --operation status --old old.yaml -o json`

// operations by what --operation calls them.
var operations = []struct {
	name      string
	operation validation.Operation
}{
	{"create", validation.Create},
	{"update", validation.Update},
	{"status", validation.UpdateStatus},
}

func operationNames() (names []string) {
	for _, o := range operations {
		names = append(names, o.name)
	}
	return names
}

type validateOptions struct {
	input
	operation string
	old       string
	output    string
	verbose   bool
}

func newValidateCommand() *cobra.Command {
	var o validateOptions
	cmd := &cobra.Command{
		Use:     "validate [[-f] FILE|FOLDER|-]... [--operation create|update|status] [--old FILE]",
		Short:   "Validate claims and templates in files as the API server does",
		Long:    validateLong,
		Example: validateExample,
		Args:    cobra.ArbitraryArgs, // files
		RunE:    begin(o.run),
	}
	var sets cliflag.NamedFlagSets
	fs := sets.FlagSet("validation")
	fs.StringVar(&o.operation, "operation", "create", "the write to judge: "+strings.Join(operationNames(), ", "))
	fs.StringVar(&o.old, "old", "", "file or folder with the objects as they were, for update and status; - for standard input")
	o.addFlags(sets.FlagSet("input"))
	fs = sets.FlagSet("output")
	fs.StringVarP(&o.output, "output", "o", textFormat, "output format: text, json, which is one line an object, or yaml, which is one document an object")
	fs.BoolVar(&o.verbose, "verbose", false, "say on standard error which documents are skipped")
	setFlags(cmd, &sets)
	o.complete(cmd)
	_ = cmd.MarkFlagFilename("old", "yaml", "yml", "json") // these fail only for flags that are not there
	for flag, values := range map[string][]string{"operation": operationNames(), "output": verdictFormats} {
		_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
	return cmd
}

func (o *validateOptions) check(cmd *cobra.Command) error {
	switch {
	case !slices.Contains(operationNames(), o.operation):
		return usagef("--operation: unknown operation %q, must be one of %s", o.operation, strings.Join(operationNames(), ", "))
	case !slices.Contains(verdictFormats, o.output):
		return usagef("--output: unknown format %q, must be one of %s", o.output, strings.Join(verdictFormats, ", "))
	case o.operation == "create" && o.old != "":
		return usagef("--old: a create has no old object, it goes with --operation=update or --operation=status")
	case o.operation != "create" && o.old == "":
		return usagef("--old is required with --operation=%s: name a file with the objects as they were", o.operation)
	}
	if err := o.input.check(cmd.Flags().Args(), cmd.InOrStdin()); err != nil {
		return err
	}
	if o.old == "-" && slices.Contains(o.files, "-") {
		return usagef("--old and --filename cannot both read standard input")
	}
	return nil
}

func (o *validateOptions) run(cmd *cobra.Command) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	v := &validator{
		groups: o.groups, verbose: o.verbose,
		out: verdicts{w: cmd.OutOrStdout(), format: o.output}, problems: problems{w: cmd.ErrOrStderr()},
	}
	for _, known := range operations {
		if known.name == o.operation {
			v.operation = known.operation
		}
	}
	if o.old != "" {
		var err error
		if v.old, err = readOld(o, cmd.InOrStdin(), &v.problems); err != nil {
			return err
		}
	}
	if err := o.each(cmd.InOrStdin(), v.problems.read, v.document); err != nil {
		return err
	}
	v.problems.more("")
	switch {
	case v.problems.failed > 0:
		return fmt.Errorf("%s could not be judged, %d of %d refused", objects(v.problems.failed), v.refused, v.judged)
	case v.refused > 0:
		return fmt.Errorf("%d of %d refused", v.refused, v.judged)
	case v.judged == 0:
		return fmt.Errorf("there is no ResourceClaim and no ResourceClaimTemplate of group %s in the input", strings.Join(o.groups, ", "))
	}
	return nil
}
