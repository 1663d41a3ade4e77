package cli

import (
	"cmp"
	"slices"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/terminal"
)

// inputFlags select files, like the flags of kubectl, and the API groups of claims.
type inputFlags struct {
	input.Input
	groups []string
}

func (in *inputFlags) addFlags(c *command) {
	in.addFiles(c)
	c.FlagSet("input").StringSliceVar(&in.groups, "group", []string{api.Group},
		"API group of the claims, or '*' for any; repeatable")
}

// addFiles adds the flags that select files.
func (in *inputFlags) addFiles(c *command) {
	fs := c.FlagSet("input")
	fs.StringSliceVarP(&in.Files, "filename", "f", nil,
		"file or directory, or - for standard input; repeatable, and you can omit the flag")
	fs.BoolVarP(&in.Recursive, "recursive", "R", false, "also read subdirectories")
	fs.StringArrayVar((*[]string)(&in.Exclude), "exclude", nil,
		"pattern of files to skip in directories, such as 'charts/**'; repeatable")
	_ = cobra.MarkFlagFilename(fs, "filename", extensions...) // fails only for flags that do not exist
	c.ValidArgsFunction = cobra.FixedCompletions(extensions, cobra.ShellCompDirectiveFilterFileExt)
}

// extensions of the files that completion offers.
var extensions = []string{"yaml", "yml", "json"}

// validate returns a usage error for invalid flags. It adds the arguments to the files of --filename, and reads
// standard input if there are none.
func (in *inputFlags) validate(cmd *cobra.Command) error {
	in.Files = append(in.Files, cmd.Flags().Args()...)
	stdin := slices.Index(in.Files, "-")
	excludeErr := in.Exclude.Check()
	if err := cmp.Or(
		usageErrorIf(slices.Contains(in.Files, ""), "--filename: the name of a file must not be empty"),
		usageErrorIf(stdin >= 0 && slices.Contains(in.Files[stdin+1:], "-"),
			"--filename: standard input (-) can be read only once"),
		usageErrorIf(slices.Contains(in.groups, "") || len(in.groups) == 0, "--group must not be empty"),
		usageErrorIf(len(in.Files) == 0 && terminal.IsTerminal(cmd.InOrStdin()),
			"--filename is required: name files or directories, or - for standard input"),
		usageErrorIf(excludeErr != nil, "--exclude: %w", excludeErr),
	); err != nil {
		return err
	}
	in.SearchWords = searchWords(in.groups)
	if len(in.Files) == 0 {
		in.Files = []string{"-"}
	}
	return nil
}

// searchWords returns strings of which every file about claims of the groups contains at least one.
func searchWords(groups []string) []string {
	// The last two occur in patches, which name only fields.
	words := []string{api.Group, "resourceClaims", "/devices/requests/", "/resourceClassName"}
	for _, group := range groups {
		if group == "*" {
			group = api.KindClaim // also a prefix of the kinds of templates and lists
		}
		words = append(words, group)
	}
	return words
}
