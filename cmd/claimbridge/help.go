package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
	cliflag "k8s.io/component-base/cli/flag"
)

// setFlags adds grouped flags to a command, and help that shows them in their groups.
func setFlags(cmd *cobra.Command, sets *cliflag.NamedFlagSets) {
	global := sets.FlagSet("global")
	global.BoolP("help", "h", false, "help for "+cmd.Name())
	for _, name := range sets.Order {
		cmd.Flags().AddFlagSet(sets.FlagSets[name])
	}
	cmd.SetUsageFunc(func(c *cobra.Command) error {
		usage(c.OutOrStderr(), c, sets)
		return nil
	})
	cmd.SetHelpFunc(func(c *cobra.Command, _ []string) {
		out := c.OutOrStdout()
		fmt.Fprintf(out, "%s\n\n", strings.TrimSpace(c.Long))
		if c.Example != "" {
			fmt.Fprintf(out, "Examples:\n%s\n\n", strings.Trim(c.Example, "\n"))
		}
		usage(out, c, sets)
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
