package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	cliflag "k8s.io/component-base/cli/flag"

	"github.com/claimbridge/claimbridge/internal/build"
)

// Exit codes. kubectl exits with 1 after all errors. Different codes let a script distinguish a rejected claim from an
// invalid flag.
const (
	exitFailed = 1 // input that could not be read or converted, a rejected claim, a failed server
	exitUsage  = 2 // the command line is invalid; at most --ca-file was written
	exitChange = 3 // convert --check: a file would change
)

// failure is an error that occurred after a command began its work.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// usageError is an invalid command line, found before a command writes anything but --ca-file.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// usageErrorOf returns a usage error that refers to the help of the command.
func usageErrorOf(c *cobra.Command, err error) error {
	return usagef("%w\nSee '%s --help' for usage.", err, c.CommandPath())
}

// valueFormats describes the values of flags, by the type that help shows. The errors of strconv mention neither limits
// nor units.
var valueFormats = map[string]string{
	"uint16":   "a port, an integer of at most 65535",
	"Level":    "an integer",
	"bool":     "true or false",
	"duration": "a duration with a unit, such as 30s or 5m",
	"quantity": "a number of bytes, such as 64Mi",
}

// flagError returns a usage error for a flag that is unknown, or whose value is invalid.
func flagError(c *cobra.Command, err error) error {
	invalid, isInvalidValue := errors.AsType[*pflag.InvalidValueError](err)
	if !isInvalidValue {
		return usageErrorOf(c, err)
	}
	flag := invalid.GetFlag()
	format, isKnown := valueFormats[flag.Value.Type()]
	if !isKnown {
		return usageErrorOf(c, err)
	}
	return usageErrorOf(c, fmt.Errorf("--%s=%.100s: must be %s", flag.Name, invalid.GetValue(), format))
}

// usageErrorIf returns a usage error if isWrong is true. Callers select the first of several errors with cmp.Or.
func usageErrorIf(isWrong bool, format string, args ...any) error {
	if isWrong {
		return usagef(format, args...)
	}
	return nil
}

var (
	// errReported is for failures that stderr already shows.
	errReported = errors.New("printed already")
	// errWouldChange is not a failure: it only sets the exit code.
	errWouldChange = fmt.Errorf("a file would change: %w", errReported)
)

// run executes the command line and returns the exit code. k8s.io/component-base/cli is not used: it adds logging flags
// to all commands, writes errors as log lines, and exits with 1 after any error.
func run(root *cobra.Command) int {
	err := root.Execute()
	if err == nil {
		return 0
	}
	if !errors.Is(err, errReported) {
		fmt.Fprintf(root.ErrOrStderr(), "error: %v\n", err)
	}
	if errors.Is(err, errWouldChange) {
		return exitChange
	}
	if _, isFailure := errors.AsType[failure](err); isFailure {
		return exitFailed
	}
	return exitUsage
}

// newRootCommand returns the command with all its subcommands.
func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "claimbridge",
		Short: "Convert and validate claims of resource.k8s.io",
		Long: `claimbridge converts ResourceClaims and ResourceClaimTemplates of resource.k8s.io between v1alpha1
(Kubernetes 1.26), v1alpha2 (1.27 to 1.30), v1alpha3 (1.31 to 1.33), v1beta1 (1.32 to 1.37),
v1beta2 (1.33 to 1.38) and v1 (since 1.34), in both directions, and preserves data that a version
has no field for. It validates them with the rules of the API server of a release. Use it for files
on the command line, for live objects as a webhook, and as a proxy for clients of another version.`,
		SilenceUsage:  true,
		SilenceErrors: true, // run prints them
	}
	root.SetGlobalNormalizationFunc(cliflag.WordSepNormalizeFunc) // log_flush_frequency is log-flush-frequency
	root.SetFlagErrorFunc(flagError)
	// cobra adds the flag --version. A custom template would link text/template, which disables dead-code elimination of
	// methods and makes the binary larger.
	root.Version = build.Line()
	root.AddCommand(
		newServeCommand(),
		newConvertCommand(),
		newValidateCommand(),
		newRulesCommand(),
		newManifestsCommand(),
		newPreflightCommand(),
		newProxyCommand(),
		newVersionCommand(),
	)
	root.InitDefaultHelpCmd()
	rejectUnknownHelpTopics(root)
	root.InitDefaultCompletionCmd()
	rejectUnknownShells(root)
	return root
}

// rejectUnknownShells makes the completion command fail for a shell that it does not support. By default, cobra prints
// the help of a command that cannot run without a subcommand, and exits with 0.
func rejectUnknownShells(root *cobra.Command) {
	completion, _, err := root.Find([]string{"completion"})
	if err != nil {
		return
	}
	completion.DisableFlagsInUseLine = true
	completion.Args = func(c *cobra.Command, shells []string) error {
		if len(shells) > 0 {
			return usageErrorOf(c, fmt.Errorf("unknown shell %.100q", shells[0]))
		}
		return nil
	}
	completion.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
}

// rejectUnknownHelpTopics makes the help command fail for a command that does not exist. By default, cobra prints the
// usage and exits with 0.
func rejectUnknownHelpTopics(root *cobra.Command) {
	validate := func(help *cobra.Command, args []string) error {
		topic, rest, err := root.Find(args)
		if err != nil || topic.HasSubCommands() && len(rest) > 0 {
			return usageErrorOf(help.Parent(), fmt.Errorf("unknown help topic %q", strings.Join(args, " ")))
		}
		return nil
	}
	for _, command := range root.Commands() {
		if command.Name() == "help" {
			command.Args = validate
		}
	}
}

// asFailure wraps the function of a command. It returns errors of the function as a failure, except for usage errors.
func asFailure(work func(cmd *cobra.Command) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		err := work(cmd)
		if usage, isUsage := errors.AsType[usageError](err); isUsage {
			return usageErrorOf(cmd, usage.error)
		}
		if err != nil {
			return failure{err}
		}
		return nil
	}
}
