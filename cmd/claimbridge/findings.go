package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/webhook/preflight"
)

// checked is a finding of preflight and the checks that came upon it.
type checked struct {
	preflight.Finding
	checks []string
}

// findings of all checks, the gravest first. What several checks say in the same words, as that
// something cannot be looked at, stands here once.
func findings(results []preflight.Result) (all []checked) {
	for _, r := range results {
		for _, f := range r.Findings {
			if i := slices.IndexFunc(all, func(known checked) bool { return known.Finding == f }); i >= 0 {
				all[i].checks = append(all[i].checks, r.Check.Name)
				continue
			}
			all = append(all, checked{f, []string{r.Check.Name}})
		}
	}
	gravity := func(f checked) int { return slices.Index(preflight.Severities, f.Severity) }
	slices.SortStableFunc(all, func(a, b checked) int { return gravity(a) - gravity(b) })
	return all
}

// grave findings are those that a script should stop at.
func grave(results []preflight.Result) []checked {
	return slices.DeleteFunc(findings(results), func(f checked) bool { return f.Severity == preflight.Warning })
}

func findingsText(out io.Writer, results []preflight.Result, verbose bool) error {
	var b strings.Builder
	all := findings(results)
	for _, f := range all {
		fmt.Fprintf(&b, "%s: %s: %s (%s)\n  remedy: %s\n",
			f.Severity, f.Object, f.What, strings.Join(f.checks, ", "), f.Remedy)
		if f.Command != "" {
			fmt.Fprintf(&b, "    %s\n", f.Command)
		}
	}
	for _, r := range results {
		switch {
		case !verbose || len(r.Findings) > 0:
		case r.Follows != "":
			fmt.Fprintf(&b, "%s: %s (see %s)\n", r.State(), r.Check.Name, r.Follows)
		default:
			fmt.Fprintf(&b, "%s: %s\n", r.State(), r.Check.Name)
		}
	}
	fmt.Fprintf(&b, "%s (%d checks)\n", cmp.Or(summary(all), "no problems found"), len(results))
	_, err := io.WriteString(out, b.String())
	return err
}

// summary counts findings, nothing when there are none.
func summary(all []checked) string {
	var parts []string
	counts := map[preflight.Severity]int{}
	for _, f := range all {
		counts[f.Severity]++
	}
	for _, severity := range preflight.Severities {
		switch n := counts[severity]; {
		case n == 0:
		case severity == preflight.Unknown:
			parts = append(parts, fmt.Sprintf("%d could not be looked at", n))
		default:
			parts = append(parts, problems.Many(n, string(severity)))
		}
	}
	return strings.Join(parts, ", ")
}

// resultLine is the JSON of a result.
type resultLine struct {
	Check    string              `json:"check"`
	State    string              `json:"state"`
	Follows  string              `json:"follows,omitempty"`
	Findings []preflight.Finding `json:"findings"`
}

func findingsJSON(out io.Writer, results []preflight.Result) error {
	var lines []resultLine
	for _, r := range results {
		lines = append(lines, resultLine{
			r.Check.Name,
			r.State(),
			r.Follows,
			append([]preflight.Finding{}, r.Findings...),
		})
	}
	return jsonLines(out, lines)
}
