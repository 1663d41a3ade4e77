package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/suggest"
	"github.com/claimbridge/claimbridge/validation"
)

const rulesLong = `List the rules of validate and of the webhook, and those of what convert and validate find in files; or show one of either sort,
a rule of validation with examples of what it accepts and refuses.

A refusal names its rule: validate at the end of a line, the webhook at the end of each cause, in its log and in the
label "rule" of its metrics. The source of a rule is the releases of Kubernetes that have it, or claimbridge for a rule
of its own; docs/upstream-rules.md lists each check of Kubernetes with path, error type and function.

With -o json there is one line a rule on standard output. "of" tells the sorts apart: "validation", with versions, source, reason, and
examples when the rule is named, or "files", with severity, reason and remedy.

Exit code: 0 the rules are written, 1 they could not be written, 2 the command line is wrong or there is no such rule.`

const rulesExample = `  # All rules
  claimbridge rules

  # Why was I refused?
  claimbridge rules reserved-once-unless-shareable

  # What is there to do about what was found?
  claimbridge rules pod-claim-source

  # The rules of one version
  claimbridge rules -o json | jq -r 'select(.versions | index("v1alpha1")) | .name'`

// ruleLine is the JSON of a rule.
type ruleLine struct {
	Name     string        `json:"name"`
	Of       string        `json:"of"`
	Versions []string      `json:"versions"`
	Source   string        `json:"source"`
	Reason   string        `json:"reason"`
	Examples []ruleExample `json:"examples,omitempty"`
}

type ruleExample struct {
	File    string `json:"file"`
	Refused bool   `json:"refused"`
	Text    string `json:"text"`
}

func newRulesCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:     "rules [NAME]",
		Short:   "List the rules of validation and of what is found in files, or show one",
		Long:    rulesLong,
		Example: rulesExample,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []string
			for _, r := range validation.Listing() {
				names = append(names, cobra.CompletionWithDesc(r.Name, r.Reason))
			}
			for _, r := range finding.Rules() {
				names = append(names, cobra.CompletionWithDesc(r.Name, r.Reason))
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usagef("name one rule, or none for the list of all\nSee '%s --help' for usage.", cmd.CommandPath())
		}
		return nil
	}
	var f flags
	f.output(&output, "text", "output format: text, or json, which is one line a rule", textOrJSON...)
	f.addTo(cmd)
	cmd.RunE = begin(func(cmd *cobra.Command) error {
		if err := checkOutput(output, textOrJSON, "text or json"); err != nil {
			return err
		}
		rules, others := validation.Listing(), finding.Rules()
		name, named := cmd.Flags().Arg(0), cmd.Flags().NArg() > 0
		if named {
			rules = slices.DeleteFunc(rules, func(r validation.Listed) bool { return r.Name != name })
			others = slices.DeleteFunc(others, func(r finding.About) bool { return r.Name != name })
		}
		switch {
		case len(rules)+len(others) == 0:
			return usagef("there is no rule %.100q%s", name, near(name))
		case output == "json":
			return errors.Join(rulesJSON(cmd.OutOrStdout(), rules, name), findingRulesJSON(cmd.OutOrStdout(), others))
		case named && len(rules) > 0:
			return ruleText(cmd.OutOrStdout(), rules[0])
		case named:
			return findingRuleText(cmd.OutOrStdout(), others[0])
		}
		return errors.Join(rulesText(cmd.OutOrStdout(), rules), findingRulesText(cmd.OutOrStdout(), others))
	})
	return cmd
}

// near names the rules that may be meant.
func near(name string) string {
	const typos = 4 // of names that are 10 to 50 letters long
	var names []string
	for _, r := range validation.Listing() {
		names = append(names, r.Name)
	}
	for _, r := range finding.Rules() {
		names = append(names, r.Name)
	}
	found := suggest.Names(name, names, typos)
	const most = 5 // of a word like name there are more, and none is meant
	if len(found) == 0 || len(found) > most {
		return ", 'claimbridge rules' lists them"
	}
	return "\n\nDid you mean this?\n\t" + strings.Join(found, "\n\t") + "\n"
}

func rulesJSON(out io.Writer, rules []validation.Listed, name string) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for _, r := range rules {
		line := ruleLine{Name: r.Name, Of: "validation", Versions: r.Versions, Source: r.Source, Reason: r.Reason}
		if name != "" {
			for _, e := range validation.Examples(name) {
				line.Examples = append(line.Examples, ruleExample(e))
			}
		}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

func rulesText(out io.Writer, rules []validation.Listed) error {
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "NAME\tVERSIONS\tREASON")
	for _, r := range rules {
		fmt.Fprintf(table, "%s\t%s\t%s\n", r.Name, strings.Join(r.Versions, ","), r.Reason)
	}
	return table.Flush()
}

func ruleText(out io.Writer, r validation.Listed) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Name:      %s\nVersions:  %s\nSource:    %s\nReason:    %s\n", r.Name, strings.Join(r.Versions, ", "), r.Source, r.Reason)
	for _, e := range validation.Examples(r.Name) {
		verdict := "Accepted"
		if e.Refused {
			verdict = "Refused"
		}
		fmt.Fprintf(&b, "\n%s (%s):\n\n", verdict, e.File)
		for line := range strings.Lines(e.Text) {
			b.WriteString("  " + line)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
