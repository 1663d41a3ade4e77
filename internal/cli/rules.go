package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/suggest"
	"github.com/claimbridge/claimbridge/validation"
	"github.com/claimbridge/claimbridge/validation/examples"
)

// ruleLine is a rule of validation or of findings in files, as one line of JSON.
type ruleLine struct {
	Name     string             `json:"name"`
	Of       string             `json:"of"`
	Severity findings.Severity  `json:"severity,omitempty"`
	Versions []string           `json:"versions,omitempty"`
	Source   string             `json:"source,omitempty"`
	Reason   string             `json:"reason"`
	Remedy   string             `json:"remedy,omitempty"`
	Examples []examples.Example `json:"examples,omitempty"`
}

// rulesByName returns the rules with a name, with their examples. It returns all rules, without examples, if the name
// is empty. Rules of validation precede those of findings in files.
func rulesByName(name string) (all []ruleLine) {
	for _, r := range validation.RuleVersions() {
		all = append(all, ruleLine{
			Name: r.Name, Of: "validation", Versions: r.Versions, Source: r.Source, Reason: r.Reason,
		})
		if r.Name == name {
			all[len(all)-1].Examples = examples.ForRule(name)
		}
	}
	for _, r := range findings.Rules() {
		all = append(all, ruleLine{
			Name: string(r.Name), Of: "files", Severity: r.Severity, Reason: r.Reason, Remedy: r.Remedy,
		})
	}
	return slices.DeleteFunc(all, func(r ruleLine) bool { return name != "" && r.Name != name })
}

func newRulesCommand() *cobra.Command {
	var output string
	run := func(cmd *cobra.Command) error {
		name := cmd.Flags().Arg(0)
		hasName := cmd.Flags().NArg() > 0
		if cmd.Flags().NArg() > 1 {
			return usagef("expected at most one rule name")
		}
		if err := validateOutput(output, textOrJSON, "text or json"); err != nil {
			return err
		}
		rules := rulesByName(name)
		switch {
		case len(rules) == 0 || hasName && name == "":
			return usagef("there is no rule %.100q%s '%s' lists all rules",
				name, cmp.Or(similarRules(name), ":"), cmd.CommandPath())
		case output == "json":
			return writeJSONLines(cmd.OutOrStdout(), rules)
		case hasName:
			return writeRule(cmd.OutOrStdout(), rules[0])
		}
		return writeRules(cmd.OutOrStdout(), rules)
	}
	const short = "List the rules of validation and of findings in files, or explain one"
	c := newCommand("rules [NAME]", short, cobra.ArbitraryArgs, run)
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
		for _, r := range rulesByName("") {
			if len(args) == 0 {
				names = append(names, cobra.CompletionWithDesc(r.Name, r.Reason))
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	c.addOutput(&output, "text", "output format: text, or json, with one line per rule", textOrJSON...)
	return c.build()
}

// similarRules returns a question with the rules whose names are similar to a mistyped one, or "".
func similarRules(name string) string {
	var known []string
	for _, r := range rulesByName("") {
		known = append(known, r.Name)
	}
	const typos, maxNames = 2, 3
	similar := suggest.Names(name, known, typos)
	if name == "" || len(similar) == 0 {
		return ""
	}
	return ": did you mean " + strings.Join(similar[:min(len(similar), maxNames)], " or ") + "?"
}

// writeRules writes a table of the rules of validation, and one of the rules of findings.
func writeRules(out io.Writer, rules []ruleLine) error {
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "NAME\tVERSIONS\tREASON")
	section := "validation"
	for _, r := range rules {
		if r.Of != section {
			table.Flush() // the tables have different columns; the last Flush returns its error
			fmt.Fprintln(table, "\nFindings of convert and validate:\n\nNAME\tSEVERITY\tREASON")
		}
		section = r.Of
		fmt.Fprintf(table, "%s\t%s%s\t%s\n", r.Name, strings.Join(r.Versions, ","), r.Severity, r.Reason)
	}
	return table.Flush()
}

// writeRule writes a rule and its examples.
func writeRule(out io.Writer, r ruleLine) error {
	var b strings.Builder
	if r.Of == "files" {
		fmt.Fprintf(&b, "Name:      %s\nSeverity:  %s\nReason:    %s\nRemedy:    %s\n",
			r.Name, r.Severity, r.Reason, r.Remedy)
	} else {
		fmt.Fprintf(&b, "Name:      %s\nVersions:  %s\nSource:    %s\nReason:    %s\n",
			r.Name, strings.Join(r.Versions, ", "), r.Source, r.Reason)
	}
	for _, e := range r.Examples {
		result := "Accepted"
		if e.Rejected {
			result = "Rejected"
		}
		fmt.Fprintf(&b, "\n%s (%s):\n\n%s", result, e.File, abbreviate(e.Text))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// abbreviate returns an indented example without the lines and columns that exceed a limit. Examples of size limits are
// long; -o json has the complete text.
func abbreviate(text string) string {
	const maxLines, maxBytes = 60, 160
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	more := len(lines) - maxLines
	if more > 0 {
		lines = append(lines[:maxLines], fmt.Sprintf("... and %d more lines: see -o json", more))
	}
	for i, line := range lines {
		if len(line) > maxBytes {
			lines[i] = fmt.Sprintf("%s... and %d more bytes: see -o json",
				strings.ToValidUTF8(line[:maxBytes], ""), len(line)-maxBytes)
		}
	}
	return "  " + strings.Join(lines, "\n  ") + "\n"
}
