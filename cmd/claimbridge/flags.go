package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
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
		fmt.Fprintf(out, "%s\n\n", wrapped(c.Long))
		if c.Example != "" {
			fmt.Fprintf(out, "Examples:\n%s\n\n", strings.Trim(c.Example, "\n"))
		}
		usage(out, c, &f.NamedFlagSets)
	})
}

func usage(out io.Writer, c *cobra.Command, sets *cliflag.NamedFlagSets) {
	fmt.Fprintf(out, "Usage:\n  %s\n", c.UseLine())
	for _, name := range sets.Order {
		if set := sets.FlagSets[name]; set.HasFlags() {
			fmt.Fprintf(out, "\n%s%s flags:\n\n%s", strings.ToUpper(name[:1]), name[1:], set.FlagUsagesWrapped(helpColumns))
		}
	}
}

// helpColumns are what help is wide, in a terminal and in a page.
const helpColumns = 100

// wrapped text; a paragraph with an indented line, as a table has, stays as it is.
func wrapped(text string) string {
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range paragraphs {
		if strings.Contains("\n"+p, "\n ") {
			continue
		}
		words := strings.Fields(p)
		column := 0
		for j := range len(words) - 1 {
			if column += len(words[j]) + 1; column+len(words[j+1]) > helpColumns {
				words[j], column = words[j]+"\n", 0
			} else {
				words[j] += " "
			}
		}
		paragraphs[i] = strings.Join(words, "")
	}
	return strings.Join(paragraphs, "\n\n")
}
