package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/suggest"
)

// noArgs refuses arguments, which below a command with others are one that is mistyped. Cobra proposes what is right below the root alone.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	what := map[bool]string{true: "command", false: "argument"}[c.HasSubCommands()]
	c.SuggestionsMinimumDistance = 2
	near := cmp.Or(didYouMean(c.SuggestionsFor(args[0])), "\nSee '"+c.CommandPath()+" --help' for usage.")
	return usagef("unknown %s %.100q for %q%s", what, args[0], c.CommandPath(), near)
}

// didYouMean is how cobra asks.
func didYouMean(found []string) string {
	if len(found) == 0 {
		return ""
	}
	return "\n\nDid you mean this?\n\t" + strings.Join(found, "\n\t") + "\n"
}

// valuesOf flags in words, by their types in help.
var valuesOf = map[string]string{
	"uint16": "a port, a whole number of at most 65535", "Level": "a whole number", "bool": "true or false",
	"duration": "a time with its unit, as 30s or 5m", "quantity": "a number of bytes, as 64Mi",
}

// wrongFlag says what is meant by a flag that is not there, and what the value of one must be.
func wrongFlag(c *cobra.Command, err error) error {
	if mistyped := noArgs(c, c.Flags().Args()); c.HasSubCommands() && mistyped != nil {
		return mistyped
	}
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok && valuesOf[wrong.GetFlag().Value.Type()] != "" {
		err = fmt.Errorf("--%s=%.100s: must be %s", wrong.GetFlag().Name, wrong.GetValue(), valuesOf[wrong.GetFlag().Value.Type()])
	}
	return usagef("%w%s\nSee '%s --help' for usage.", err, meantFlag(c, err), c.CommandPath())
}

// otherNames of flags, as another command or program has them.
var otherNames = map[string]string{"to": "kubernetes-release", "kubernetes-release": "to", "file": "filename", "dry-run": "check", "in-place": "write"}

// meantFlag proposes a flag for one that the command does not have, also for a long one with one dash, whose first letter is none.
func meantFlag(c *cobra.Command, err error) string {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return ""
	}
	var names, near []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	letters, _, _ := strings.Cut(unknown.GetSpecifiedShortnames(), "=")
	switch name := unknown.GetSpecifiedName(); {
	case letters != "" && c.Flags().Lookup(letters) != nil:
		near = []string{letters}
	case letters != "":
	case slices.Contains(names, otherNames[name]):
		near = []string{otherNames[name]}
	default:
		near = suggest.Names(name, names, 2)
	}
	if len(near) == 0 || len(near) > 3 {
		return ""
	}
	return "; did you mean --" + strings.Join(near, " or --") + "?"
}
