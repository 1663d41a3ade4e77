package preflight

import (
	"cmp"
	"context"
	"slices"
)

// Check is one thing that can be wrong with a cluster.
type Check struct {
	// Name says what should be, like stored-version-is-newest. It is stable.
	Name string
	// Reason is what happens when it is otherwise, in a sentence or two.
	Reason string
	// Warns is set where it finds warnings; others find problems.
	Warns bool

	// after are checks before it whose problem explains what it would find. Then it is not made,
	// nor what comes after it.
	after []*Check
	// reads are the resources without which it cannot tell. Where one could not be read it is not made, and says so.
	reads []resource
	// find what is wrong with what was read.
	find func(*state, *report)
	// try is for checks that ask the cluster for more.
	try func(context.Context, *cluster, *state, *report)
}

// Result of a check. No findings means that all is well, unless it follows from another's.
type Result struct {
	Check    *Check
	Findings []Finding
	// Follows is the check before whose problem explains what this one would find: it was not made.
	Follows string
}

// State is the gravest severity among the findings. Without any it is "ok", or "unknown" where the
// check follows from another.
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

// make the check, after others.
func (c *Check) make(ctx context.Context, cluster *cluster, s *state, earlier []Result) Result {
	for _, before := range earlier {
		switch {
		case !slices.Contains(c.after, before.Check):
		case before.Count(Problem) > 0:
			return Result{Check: c, Follows: before.Check.Name}
		case before.Follows != "":
			return Result{Check: c, Follows: before.Follows}
		}
	}
	r := &report{severity: Problem}
	if c.Warns {
		r.severity = Warning
	}
	for _, u := range s.unread {
		if slices.Contains(c.reads, u.resource) {
			r.findings = append(r.findings, u.Finding)
		}
	}
	switch {
	case len(r.findings) > 0:
	case c.try != nil:
		c.try(ctx, cluster, s, r)
	default:
		c.find(s, r)
	}
	slices.SortStableFunc(r.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Object.String(), b.Object.String()), cmp.Compare(a.What, b.What))
	})
	return Result{Check: c, Findings: slices.Compact(r.findings)}
}

// each of several things is looked at by itself.
func each[T any](of func(*state) []T, find func(*state, *report, T)) func(*state, *report) {
	return func(s *state, r *report) {
		for _, one := range of(s) {
			find(s, r, one)
		}
	}
}

// report takes down what one check finds.
type report struct {
	severity Severity // of the check
	findings []Finding
}

// problem is a finding of the check's own severity.
func (r *report) problem(object Object, what string, remedy remedy) {
	r.add(r.severity, object, what, remedy)
}

// add a finding that may be of another severity than the check.
func (r *report) add(severity Severity, object Object, what string, remedy remedy) {
	r.findings = append(r.findings, Finding{severity, object, oneLine(what), oneLine(remedy.text), remedy.command})
}

// once for each object, whatever fails by it.
func (r *report) once(object Object, what string, remedy remedy) {
	if !slices.ContainsFunc(r.findings, func(f Finding) bool {
		return f.Object == object && f.Severity == r.severity
	}) {
		r.problem(object, what, remedy)
	}
}
