package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
	cliflag "k8s.io/component-base/cli/flag"
)

// flags of a command, in groups, and the values that some of them take.
type flags struct {
	cliflag.NamedFlagSets
	values map[string][]string
}

// takes names the values of a flag, for completion.
func (f *flags) takes(name string, values ...string) {
	if f.values == nil {
		f.values = map[string][]string{}
	}
	f.values[name] = values
}

// output adds the flag -o to the group of its name. Which formats it takes is for checkOutput to see.
func (f *flags) output(format *string, value, usage string, formats ...string) {
	f.FlagSet("output").StringVarP(format, "output", "o", value, usage)
	f.takes("output", formats...)
}

// checkOutput refuses an unknown format. The known ones are listed as words.
func checkOutput(format string, formats []string, words string) error {
	if slices.Contains(formats, format) {
		return nil
	}
	return usagef("--output: unknown format %q, must be %s", format, words)
}

// textOrJSON are the formats of most commands.
var textOrJSON = []string{"text", "json"}

// oneOf lists values in words.
func oneOf(values []string) string { return "one of " + strings.Join(values, ", ") }

// addTo a command, with help that shows the flags in their groups.
func (f *flags) addTo(cmd *cobra.Command) {
	global := f.FlagSet("global")
	global.BoolP("help", "h", false, "help for "+cmd.Name())
	for _, name := range f.Order {
		cmd.Flags().AddFlagSet(f.FlagSets[name])
	}
	for name, values := range f.values {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)) // fails only for flags that are not there
	}
	cmd.SetUsageFunc(func(c *cobra.Command) error {
		usage(c.OutOrStderr(), c, &f.NamedFlagSets)
		return nil
	})
	cmd.SetHelpFunc(func(c *cobra.Command, _ []string) {
		out := c.OutOrStdout()
		fmt.Fprintf(out, "%s\n\n", strings.TrimSpace(c.Long))
		if c.Example != "" {
			fmt.Fprintf(out, "Examples:\n%s\n\n", strings.Trim(c.Example, "\n"))
		}
		usage(out, c, &f.NamedFlagSets)
	})
}

func usage(out io.Writer, c *cobra.Command, sets *cliflag.NamedFlagSets) {
	fmt.Fprintf(out, "Usage:\n  %s\n", c.UseLine())
	cliflag.PrintSections(out, *sets, columns(out))
}

// columns of the terminal that is written to, 0 when it is none: then nothing is wrapped.
func columns(out io.Writer) int {
	if f, ok := out.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			return width
		}
	}
	return 0
}
