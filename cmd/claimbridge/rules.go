package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/suggest"
	"github.com/claimbridge/claimbridge/validation"
)

const rulesLong = `List the rules of validate and of the webhook, or show one rule with examples of what it accepts and refuses.

A refusal names its rule: validate at the end of a line, the webhook at the end of each cause, in its log and in the
label "rule" of its metrics. The source of a rule is the releases of Kubernetes that have it, or claimbridge for a rule
of its own; docs/upstream-rules.md lists each check of Kubernetes with path, error type and function.

With -o json there is one line a rule on standard output, with examples when a rule is named:

  {"name":"...","versions":["v1alpha3"],"source":"...","reason":"...","examples":[{"file":"bad-v1alpha3.yaml","refused":true,"text":"..."}]}

Exit code: 0 the rules are written, 1 they could not be written, 2 the command line is wrong or there is no such rule.`

const rulesExample = `  # All rules
  claimbridge rules

  # Why was I refused?
  claimbridge rules reserved-once-unless-shareable

  # The rules of one version
  claimbridge rules -o json | jq -r 'select(.versions | index("v1alpha1")) | .name'`

// ruleLine is the JSON of a rule.
type ruleLine struct {
	Name     string        `json:"name"`
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
		Short:   "List the rules of validation, or show one with examples",
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
		rules, name := validation.Listing(), cmd.Flags().Arg(0)
		if cmd.Flags().NArg() > 0 {
			i := slices.IndexFunc(rules, func(r validation.Listed) bool { return r.Name == name })
			if i < 0 {
				return usagef("there is no rule %.100q%s", name, near(name, rules))
			}
			rules = rules[i : i+1]
		}
		switch {
		case output == "json":
			return rulesJSON(cmd.OutOrStdout(), rules, name)
		case name != "":
			return ruleText(cmd.OutOrStdout(), rules[0])
		}
		return rulesText(cmd.OutOrStdout(), rules)
	})
	return cmd
}

// near names the rules that may be meant.
func near(name string, rules []validation.Listed) string {
	const typos = 4 // of names that are 15 to 50 letters long
	names := make([]string, len(rules))
	for i, r := range rules {
		names[i] = r.Name
	}
	found := suggest.Names(name, names, typos)
	if len(found) == 0 {
		return ", 'claimbridge rules' lists them"
	}
	return "\n\nDid you mean this?\n\t" + strings.Join(found, "\n\t") + "\n"
}

func rulesJSON(out io.Writer, rules []validation.Listed, name string) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for _, r := range rules {
		line := ruleLine{Name: r.Name, Versions: r.Versions, Source: r.Source, Reason: r.Reason}
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
