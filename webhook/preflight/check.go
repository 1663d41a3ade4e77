package preflight

import "cmp"

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

// Check is one thing that can be wrong with a cluster.
type Check struct {
	// Name says what should be, like stored-version-is-newest. It is stable.
	Name string
	// Reason is what happens when it is otherwise, in a sentence or two.
	Reason string
	// Severity of most of its findings.
	Severity Severity
	// Remedy is what to do, in general. A finding has its own, which names the objects.
	Remedy string

	// find reports what is wrong. Whatever it could not look at is noted by the view.
	find func(*view)
}

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

// Result of a check. No findings means that all is well, unless it follows from another's.
type Result struct {
	Check    Check
	Findings []Finding
	// Follows is the check before whose problem explains what this one would have found, in part or wholly: it did not look, or says nothing of it.
	Follows string
}

// State is the gravest severity among the findings. Without any it is "ok", or "unknown" where the check follows from another.
func (r Result) State() string {
	for _, severity := range Severities {
		if r.Count(severity) > 0 {
			return string(severity)
		}
	}
	if r.Follows != "" {
		return string(Unknown)
	}
	return "ok"
}

// Count of findings of a severity.
func (r Result) Count(severity Severity) (count int) {
	for _, f := range r.Findings {
		if f.Severity == severity {
			count++
		}
	}
	return count
}

// Severities from the gravest on.
var Severities = []Severity{Problem, Unknown, Warning}

// compare puts findings in order: by object, then text.
func compare(a, b Finding) int {
	return cmp.Or(cmp.Compare(a.Object.String(), b.Object.String()), cmp.Compare(a.What, b.What))
}
