package finding

import (
	"slices"

	"github.com/claimbridge/claimbridge/validation"
)

// Rule of what is looked for. There is one for each sort of finding.
type Rule int

// About of a rule: what there is to say about all of its findings.
type About struct {
	Name     string
	Severity Severity
	// Reason in one line, and what to do.
	Reason, Remedy string
	// Many are the words for all of it, before a number of more. A rule that has them may hold for every object of an input alike: then
	// people are shown the first ones only. What got lost is always shown.
	Many string
}

// About the rule.
func (r Rule) About() About { return table[r] }

// Name of the rule.
func (r Rule) Name() string { return table[r].Name }

// Rules of this package, in the order of their table.
func Rules() []About { return slices.Clone(table[:]) }

// Find what there is to say about a rule, of this package or of validation.
func Find(name string) (About, bool) {
	for _, a := range table {
		if a.Name == name {
			return a, true
		}
	}
	for _, r := range validation.Listing() {
		if r.Name == name {
			return About{Name: name, Severity: Error, Reason: r.Reason, Remedy: "Change what the rule refuses: `claimbridge rules " + name + "` has examples."}, true
		}
	}
	return About{}, false
}
