package preflight

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// State is the outcome of a check.
type State string

const (
	// OK means that the check found no problem.
	OK State = "ok"
	// Warning means that something will become a problem, or is unusual.
	Warning State = "warning"
	// Unknown means that the check has no result: something could not be read, or a request had no response.
	Unknown State = "unknown"
	// Problem means that requests fail, or that claims are stored or read wrongly.
	Problem State = "problem"
	// Skipped means that the result of another check explains what this one would report.
	Skipped State = "skipped"
)

// Result is the result of a check.
type Result struct {
	// Check is the name of the check.
	Check string `json:"check"`
	State State  `json:"state"`
	// Reasons say what is wrong, one line each.
	Reasons []string `json:"reasons,omitempty"`
	// Hint is the address of the documentation, if there are reasons.
	Hint string `json:"hint,omitempty"`
	// SkippedBecause is the check that explains why this one was skipped.
	SkippedBecause string `json:"follows,omitempty"`
}

// Failed reports whether a script should stop at this result.
func (r Result) Failed() bool { return r.State == Problem || r.State == Unknown }

// page is the documentation of all checks, with a heading for each.
const page = "https://github.com/claimbridge/claimbridge/blob/main/docs/preflight.md"

// newResult returns the result of a check that returned an error, without reasons that earlier checks had.
func newResult(check Check, err error, earlier []Result) Result {
	result := Result{Check: check.Name, State: OK, Hint: page + "#" + check.Name}
	repeated := ""
	for _, reason := range reasonsOf(err) {
		text := oneLine(reason.Error())
		i := slices.IndexFunc(earlier, func(r Result) bool { return slices.Contains(r.Reasons, text) })
		if i >= 0 {
			repeated = earlier[i].Check
		} else if !slices.Contains(result.Reasons, text) {
			result.Reasons = append(result.Reasons, text)
			result.State = worst(result.State, stateOf(reason))
		}
	}
	if len(result.Reasons) > 0 {
		if result.State == Unknown {
			result.Hint = page + "#when-a-check-is-unknown"
		}
		return result
	}
	result.Hint = ""
	if repeated != "" {
		result.State = Skipped
		result.SkippedBecause = repeated
	}
	return result
}

// each joins the errors of a check of several things.
func each[T any](all []T, check func(T) error) error {
	errs := make([]error, len(all))
	for i, item := range all {
		errs[i] = check(item)
	}
	return errors.Join(errs...)
}

// reasonsOf returns the errors that a check joined.
func reasonsOf(err error) []error {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error }) // not errors.As: a wrapped list is one reason
	if !ok {
		return []error{err}
	}
	var all []error
	for _, reason := range joined.Unwrap() {
		all = append(all, reasonsOf(reason)...)
	}
	return all
}

// stateError is an error that is not a problem.
type stateError struct {
	error
	state State
}

func (e stateError) Unwrap() error { return e.error }

// warning returns an error that makes a check a warning.
func warning(format string, args ...any) error {
	return stateError{fmt.Errorf(format, args...), Warning}
}

// unknown returns an error that makes a check [Unknown].
func unknown(format string, args ...any) error {
	return stateError{fmt.Errorf(format, args...), Unknown}
}

func stateOf(err error) State {
	if e, ok := errors.AsType[stateError](err); ok {
		return e.state
	}
	return Problem
}

func worst(a, b State) State {
	order := []State{OK, Warning, Unknown, Problem}
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}

// oneLine returns a text without control characters. API servers quote webhooks and policies, whose texts must not look
// like lines of the report or change a terminal.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text)
}
