package preflight

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestChecks verifies the table: names are unique, and a check needs only checks that run before it.
func TestChecks(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`)
	var earlier []string
	for _, check := range Checks {
		if !kebab.MatchString(check.Name) || slices.Contains(earlier, check.Name) {
			t.Errorf("%q is not the name of one check", check.Name)
		}
		if !strings.HasSuffix(check.Description, ".") {
			t.Errorf("%s: %q is not a sentence", check.Name, check.Description)
		}
		for _, need := range check.needs {
			if !slices.Contains(earlier, need) {
				t.Errorf("%s needs %s, which does not run before it", check.Name, need)
			}
		}
		if check.run == nil || !check.beforeInstall && len(check.needs) == 0 {
			t.Errorf("%s: a check runs a function, and needs an installation unless it is for clusters without one",
				check.Name)
		}
		earlier = append(earlier, check.Name)
	}
}

// TestNothingIsReportedTwice verifies that a check is skipped after a problem of a check that it needs, directly or
// indirectly, and if an earlier check has reported the same reason. Warnings and unknown results explain nothing.
func TestNothingIsReportedTwice(t *testing.T) {
	check := func(name string, err error, needs ...string) Check {
		return Check{
			Name: name, needs: needs, beforeInstall: true,
			run: func(context.Context, *cluster) error { return err },
		}
	}
	problem, unread := errors.New("wrong"), unknown("Secret a/b cannot be read")
	for name, test := range map[string]struct {
		checks []Check
		want   string
	}{
		"after a problem": {
			[]Check{check("a", problem), check("b", nil, "a"), check("c", nil, "b"), check("d", nil)},
			"problem, after a, after a, ok",
		},
		"after a warning": {[]Check{check("a", warning("late")), check("b", nil, "a")}, "warning, ok"},
		"after an unknown result": {
			[]Check{check("a", unread), check("b", problem, "a"), check("c", unread)}, "unknown, problem, after a",
		},
		"after a check that could not tell for the same reason": {
			[]Check{check("a", unread), check("b", unread), check("c", problem, "b")}, "unknown, after a, problem",
		},
		"the same reason and another": {
			[]Check{check("a", unread), check("b", errors.Join(unread, problem))}, "unknown, problem",
		},
		"the needed check is left out": {[]Check{check("b", problem, "a")}, "problem"},
	} {
		t.Run(name, func(t *testing.T) {
			var results []Result
			var got []string
			for _, check := range test.checks {
				result := runCheck(t.Context(), &cluster{}, check, results)
				results = append(results, result)
				if result.State == Skipped {
					got = append(got, "after "+result.SkippedBecause)
				} else {
					got = append(got, string(result.State))
				}
			}
			if text := strings.Join(got, ", "); text != test.want {
				t.Errorf("got %s, want %s", text, test.want)
			}
		})
	}
}

func TestResultHasTheWorstState(t *testing.T) {
	const hint = "https://github.com/claimbridge/claimbridge/blob/main/docs/preflight.md#"
	for name, test := range map[string]struct {
		err  error
		want Result
	}{
		"nothing": {nil, Result{Check: "a", State: OK}},
		"all": {
			errors.Join(warning("late"), errors.Join(unknown("unread"), fmt.Errorf("b: %w", errors.New("wrong"))), nil),
			Result{Check: "a", State: Problem, Reasons: []string{"late", "unread", "b: wrong"}, Hint: hint + "a"},
		},
		"unknown": {
			errors.Join(warning("late"), unknown("unread")),
			Result{Check: "a", State: Unknown, Reasons: []string{"late", "unread"}, Hint: hint + "when-a-check-is-unknown"},
		},
		"one line, without control characters": {
			errors.New("denied: no\nno problems found (33 checks)\x1b[2J\u2028"),
			Result{
				Check: "a", State: Problem, Reasons: []string{"denied: no no problems found (33 checks) [2J "},
				Hint: hint + "a",
			},
		},
	} {
		if diff := cmp.Diff(test.want, newResult(Check{Name: "a"}, test.err, nil)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
