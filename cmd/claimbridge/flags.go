package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	cliflag "k8s.io/component-base/cli/flag"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
)

// command that does some work, with its flags in groups.
type command struct {
	*cobra.Command
	cliflag.NamedFlagSets
	completions map[string]cobra.CompletionFunc // of flags
}

// help of each command, in a file of its name: what it does, and examples.
//
//go:embed help
var help embed.FS

func newCommand(use, short string, args cobra.PositionalArgs, run func(*cobra.Command) error) *command {
	c := &cobra.Command{Use: use, Short: short, Args: args, RunE: begin(run)}
	text, _ := help.ReadFile("help/" + c.Name() + ".txt") // TestEveryCommandHasHelp
	c.Long = string(text)
	return &command{Command: c, completions: map[string]cobra.CompletionFunc{}}
}

// takes names the values of a flag, for completion.
func (c *command) takes(name string, values ...string) {
	c.completions[name] = cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
}

// output adds the flag -o to the group of its name. Which formats it takes is for checkOutput to see.
func (c *command) output(format *string, value, usage string, formats ...string) {
	c.FlagSet("output").StringVarP(format, "output", "o", value, usage)
	c.takes("output", formats...)
}

// checkOutput refuses an unknown format. The known ones are listed as words.
func checkOutput(format string, formats []string, words string) error {
	return when(!slices.Contains(formats, format), "--output: unknown format %q, must be %s", format, words)
}

// completeRelease fills in the release of Kubernetes whose rules apply, if one was named,
// without its patch level.
func completeRelease(named *string) (err error) {
	if *named == "" {
		return nil
	}
	*named, err = release.ParseNameWithRules(*named)
	return when(err != nil, "--kubernetes-release: %w", err)
}

// jsonLines writes each value on a line of its own.
func jsonLines[T any](out io.Writer, values []T) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for _, v := range values {
		if err := encoder.Encode(v); err != nil {
			return err
		}
	}
	return nil
}

// textOrJSON are the formats of most commands.
var textOrJSON = []string{"text", "json"}

// oneOf lists values in words.
func oneOf(values []string) string { return "one of " + strings.Join(values, ", ") }

// whole is the command with all of its flags, and help that shows them in their groups.
func (c *command) whole() *cobra.Command {
	c.FlagSet("global").BoolP("help", "h", false, "help for "+c.Name())
	for _, name := range c.Order {
		c.Flags().AddFlagSet(c.FlagSets[name])
	}
	for name, completion := range c.completions {
		_ = c.RegisterFlagCompletionFunc(name, completion) // fails only for flags that are not there
	}
	c.SetUsageFunc(func(*cobra.Command) error {
		c.usage(c.OutOrStderr())
		return nil
	})
	return c.Command
}

func (c *command) usage(out io.Writer) {
	const columns = 100 // in a terminal and in a page
	fmt.Fprintf(out, "Usage:\n  %s\n", c.UseLine())
	for _, name := range c.Order {
		if set := c.FlagSets[name]; set.HasFlags() {
			fmt.Fprintf(out, "\n%s%s flags:\n\n%s", strings.ToUpper(name[:1]), name[1:], set.FlagUsagesWrapped(columns))
		}
	}
}
