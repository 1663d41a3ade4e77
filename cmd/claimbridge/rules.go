package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/validation"
	"github.com/claimbridge/claimbridge/validation/examples"
)

// ruleLine is the JSON of a rule, of validation or of what is found in files.
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

// allRules, of validation first, or those of a name, with examples.
func allRules(name string) (all []ruleLine) {
	for _, r := range validation.Listing() {
		all = append(all, ruleLine{
			Name: r.Name, Of: "validation", Versions: r.Versions, Source: r.Source, Reason: r.Reason,
		})
		if r.Name == name {
			all[len(all)-1].Examples = examples.Of(name)
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
		name, named := cmd.Flags().Arg(0), cmd.Flags().NArg() > 0
		if cmd.Flags().NArg() > 1 {
			return usagef("expected at most one rule name")
		}
		if err := checkOutput(output, textOrJSON, "text or json"); err != nil {
			return err
		}
		rules := allRules(name)
		switch {
		case len(rules) == 0 || named && name == "":
			return usagef("there is no rule %.100q: '%s' lists all rules", name, cmd.CommandPath())
		case output == "json":
			return jsonLines(cmd.OutOrStdout(), rules)
		case named:
			return ruleText(cmd.OutOrStdout(), rules[0])
		}
		return rulesText(cmd.OutOrStdout(), rules)
	}
	const short = "List the rules of validation and of findings in files, or explain one"
	c := newCommand("rules [NAME]", short, cobra.ArbitraryArgs, run)
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
		for _, r := range allRules("") {
			if len(args) == 0 {
				names = append(names, cobra.CompletionWithDesc(r.Name, r.Reason))
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	c.output(&output, "text", "output format: text, or json, with one line per rule", textOrJSON...)
	return c.whole()
}

func rulesText(out io.Writer, rules []ruleLine) error {
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "NAME\tVERSIONS\tREASON")
	of := "validation"
	for _, r := range rules {
		if r.Of != of {
			table.Flush() // each table has columns of its own; an error comes again below
			fmt.Fprintln(table, "\nFindings of convert and validate:\n\nNAME\tSEVERITY\tREASON")
		}
		of = r.Of
		fmt.Fprintf(table, "%s\t%s%s\t%s\n", r.Name, strings.Join(r.Versions, ","), r.Severity, r.Reason)
	}
	return table.Flush()
}

func ruleText(out io.Writer, r ruleLine) error {
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
		fmt.Fprintf(&b, "\n%s (%s):\n\n%s", result, e.File, shown(e.Text))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// shown returns an example for people: an example of a limit may be long, and -o json has all of it.
func shown(text string) string {
	const most, widest = 60, 160
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	more := len(lines) - most
	if more > 0 {
		lines = append(lines[:most], fmt.Sprintf("... and %d more lines: see -o json", more))
	}
	for i, line := range lines {
		if len(line) > widest {
			lines[i] = fmt.Sprintf("%s... and %d more bytes: see -o json",
				strings.ToValidUTF8(line[:widest], ""), len(line)-widest)
		}
	}
	return "  " + strings.Join(lines, "\n  ") + "\n"
}
