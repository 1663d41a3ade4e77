package cli

import (
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	cliflag "k8s.io/component-base/cli/flag"

	"github.com/claimbridge/claimbridge/internal/release"
)

// command is a cobra command whose help shows flags in groups.
type command struct {
	*cobra.Command
	cliflag.NamedFlagSets
	completions map[string]cobra.CompletionFunc // by the name of the flag
}

// help has a file for each command: what it does, and examples.
//
//go:embed help
var help embed.FS

func newCommand(use, short string, args cobra.PositionalArgs, run func(*cobra.Command) error) *command {
	c := &cobra.Command{Use: use, Short: short, Args: args, RunE: asFailure(run)}
	text, _ := help.ReadFile("help/" + c.Name() + ".txt") // TestEveryCommandHasHelp checks that it exists
	c.Long = string(text)
	return &command{Command: c, completions: map[string]cobra.CompletionFunc{}}
}

// completeWith sets the values that shell completion offers for a flag.
func (c *command) completeWith(name string, values ...string) {
	c.completions[name] = cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
}

// addOutput adds the flag --output. The command validates its value with validateOutput.
func (c *command) addOutput(format *string, value, usage string, formats ...string) {
	c.FlagSet("output").StringVarP(format, "output", "o", value, usage)
	c.completeWith("output", formats...)
}

// validateOutput returns a usage error for an unknown format. The error lists the known formats as text.
func validateOutput(format string, formats []string, text string) error {
	return usageErrorIf(!slices.Contains(formats, format), "--output: unknown format %q, must be %s", format, text)
}

// normalizeRelease replaces the value of --kubernetes-release by the name of its minor release. It returns a usage
// error if there are no rules for the release.
func normalizeRelease(name *string) (err error) {
	if *name == "" {
		return nil
	}
	*name, err = release.ParseNameWithRules(*name)
	return usageErrorIf(err != nil, "--kubernetes-release: %w", err)
}

// writeJSONLines writes each value as one line of JSON.
func writeJSONLines[T any](out io.Writer, values []T) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for _, v := range values {
		if err := encoder.Encode(v); err != nil {
			return err
		}
	}
	return nil
}

// textOrJSON lists the output formats of most commands.
var textOrJSON = []string{"text", "json"}

// oneOf returns the values as text, like "one of a, b, c".
func oneOf(values []string) string { return "one of " + strings.Join(values, ", ") }

// build returns the cobra command with all flags, completions, and a help text that shows flags in groups.
func (c *command) build() *cobra.Command {
	c.FlagSet("global").BoolP("help", "h", false, "help for "+c.Name())
	for _, name := range c.Order {
		c.Flags().AddFlagSet(c.FlagSets[name])
	}
	for name, completion := range c.completions {
		_ = c.RegisterFlagCompletionFunc(name, completion) // fails only for flags that do not exist
	}
	c.SetUsageFunc(func(*cobra.Command) error {
		c.writeUsage(c.OutOrStderr())
		return nil
	})
	return c.Command
}

// writeUsage writes the usage line and the flags by group.
func (c *command) writeUsage(out io.Writer) {
	const columns = 100 // also fits the documentation
	fmt.Fprintf(out, "Usage:\n  %s\n", c.UseLine())
	for _, name := range c.Order {
		if set := c.FlagSets[name]; set.HasFlags() {
			fmt.Fprintf(out, "\n%s%s flags:\n\n%s", strings.ToUpper(name[:1]), name[1:], set.FlagUsagesWrapped(columns))
		}
	}
}
