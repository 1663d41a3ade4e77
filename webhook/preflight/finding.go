package preflight

import (
	"strings"
	"unicode"
)

// Severity of a finding.
type Severity string

const (
	// Problem is what makes requests fail, or lets claims be stored or read wrongly.
	Problem Severity = "problem"
	// Warning is what is going to be a problem, or stands in the way of the next step.
	Warning Severity = "warning"
	// Unknown is what could not be looked at, so that nobody can say.
	Unknown Severity = "unknown"
)

// Severities from the gravest on.
var Severities = []Severity{Problem, Unknown, Warning}

// Finding is something that is wrong, or that could not be looked at.
type Finding struct {
	Severity Severity `json:"severity"`
	Object   Object   `json:"object"`
	// What is wrong, without the object's name.
	What string `json:"what"`
	// Remedy is what to do about it.
	Remedy string `json:"remedy"`
	// Command does it, or shows what there is to be seen, where a shell can: it works as it stands.
	Command string `json:"command,omitempty"`
}

// Object that a finding is about.
type Object struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
}

// String is Kind namespace/name.
func (o Object) String() string {
	switch {
	case o.Name == "":
		return o.Kind
	case o.Namespace == "":
		return o.Kind + " " + o.Name
	}
	return o.Kind + " " + o.Namespace + "/" + o.Name
}

// oneLine of a text that may have words of others in it, as a webhook's reason to refuse: they must
// not look like lines of ours, nor change a terminal.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}
