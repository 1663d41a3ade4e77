package main

import (
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
)

// inputFlags name what to read, as kubectl's flags do, and which claims are meant.
type inputFlags struct {
	input.Input
	groups []string
}

func (in *inputFlags) addFlags(fs *pflag.FlagSet) {
	fs.StringSliceVarP(&in.Files, "filename", "f", nil,
		"file or folder to read, - for standard input; repeatable, and may be left out before a name. Of a folder the files *.json, *.yaml and *.yml are read. Default: standard input, unless it is a terminal.")
	fs.BoolVarP(&in.Recursive, "recursive", "R", false, "read folders with their subfolders")
	fs.StringSliceVar(&in.groups, "group", []string{api.Group},
		"API group whose claims are meant; repeatable. '*' means any. Claims of other groups are objects of other kinds.")
}

func (in *inputFlags) complete(cmd *cobra.Command) {
	extensions := []string{"yaml", "yml", "json"}
	_ = cmd.MarkFlagFilename("filename", extensions...) // fails only for flags that are not there
	cmd.ValidArgsFunction = cobra.FixedCompletions(extensions, cobra.ShellCompDirectiveFilterFileExt)
}

// check the flags, and fill in the names that stand without a flag, or else standard input.
func (in *inputFlags) check(names []string, stdin io.Reader) error {
	in.Files = append(in.Files, names...)
	stdins := 0
	for _, f := range in.Files {
		if f == "" {
			return usagef("--filename: the name of a file must not be empty")
		}
		if f == "-" {
			stdins++
		}
	}
	if stdins > 1 {
		return usagef("--filename: standard input (-) can be read only once")
	}
	if slices.Contains(in.groups, "") || len(in.groups) == 0 {
		return usagef("--group must not be empty")
	}
	if len(in.Files) > 0 {
		return nil
	}
	if f, ok := stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return usagef("--filename: name what to read, or - for standard input")
	}
	in.Files = []string{"-"}
	return nil
}
