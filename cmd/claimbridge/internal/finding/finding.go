// Package finding says what can be wrong with an input: a finding has a place, a rule and a
// message, and a rule has a name, a reason and a remedy.
package finding

import (
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/validation"
)

// Severity of a finding.
type Severity string

// An error is of what is not converted, or refused; a warning is of what is converted or passed
// through, and needs a look.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Place in the input. What is not known is empty, and 0 of numbers.
type Place struct {
	File string `json:"file"` // path, or "standard input"
	// Line and Column of the field, or else of the object, from 1. Columns count characters.
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Document int    `json:"document"` // from 1; 0 for a file that is none
	Item     string `json:"item"`     // of a list in the document, like items[7]
}

// Object that a finding is about.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
}

// Finding about an input. It has names and paths, and no value of an object: handles may hold credentials.
//
// In JSON all keys are always there.
type Finding struct {
	// Rule by name: one of this package's, or of validation's.
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Place
	Object
	Field   string `json:"field"` // path, like spec.devices.requests[0]
	Message string `json:"message"`
	// Fixed is set when what is written has it right.
	Fixed bool `json:"fixed"`

	// Text is the finding as a line for people, without its rule and its end.
	Text string `json:"-"`
}

// ForPeople is the line with its rule at the end, of which `claimbridge rules` says more. What is no finding has none.
func (f Finding) ForPeople() string {
	if f.Rule == "" {
		return f.Text
	}
	rule := " (" + f.Rule + ")"
	return strings.TrimSuffix(f.Text, rule) + rule
}

// Rule of what is looked for. There is one for each sort of finding.
type Rule int

// About of a rule: what there is to say about all of its findings.
type About struct {
	Name     string
	Severity Severity
	// Reason in one line, and what to do.
	Reason, Remedy string
	// Many are the words for all of it, before a number of more. A rule that has them may hold for
	// every object of an input alike: then people are shown the first ones only. What got lost is
	// always shown.
	Many string
}

// Most rules that there may be.
const Most = 64

// table of the rules.
var table = make([]About, 0, Most)

func rule(name string, severity Severity, reason, remedy string, many ...string) Rule {
	if len(table) == Most {
		panic("there are more rules than finding.Most")
	}
	table = append(table, About{name, severity, reason, remedy, strings.Join(many, "")})
	return Rule(len(table) - 1)
}

// About the rule.
func (r Rule) About() About { return table[r] }

// Rules of this package, in the order of their table.
func Rules() []About { return slices.Clone(table) }

// Find what there is to say about a rule, of this package or of validation.
func Find(name string) (About, bool) {
	for _, a := range table {
		if a.Name == name {
			return a, true
		}
	}
	for _, r := range validation.Listing() {
		if r.Name == name {
			return About{
				Name:     name,
				Severity: Error,
				Reason:   r.Reason,
				Remedy:   "Change what the rule refuses: `claimbridge rules " + name + "` has examples.",
			}, true
		}
	}
	return About{}, false
}
