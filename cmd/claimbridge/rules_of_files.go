package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
)

// findingRuleLine is the JSON of a rule of what is found in files.
type findingRuleLine struct {
	Name     string           `json:"name"`
	Of       string           `json:"of"`
	Severity finding.Severity `json:"severity"`
	Reason   string           `json:"reason"`
	Remedy   string           `json:"remedy"`
}

func findingRulesJSON(out io.Writer, rules []finding.About) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for _, r := range rules {
		if err := encoder.Encode(findingRuleLine{r.Name, "files", r.Severity, r.Reason, r.Remedy}); err != nil {
			return err
		}
	}
	return nil
}

func findingRulesText(out io.Writer, rules []finding.About) error {
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "\nWhat convert and validate find in files:\n\nNAME\tSEVERITY\tREASON")
	for _, r := range rules {
		fmt.Fprintf(table, "%s\t%s\t%s\n", r.Name, r.Severity, r.Reason)
	}
	return table.Flush()
}

func findingRuleText(out io.Writer, r finding.About) error {
	_, err := fmt.Fprintf(out, "Name:      %s\nSeverity:  %s\nReason:    %s\nRemedy:    %s\n", r.Name, r.Severity, r.Reason, r.Remedy)
	return err
}
