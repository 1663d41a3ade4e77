package preflight

import (
	"context"
	"slices"
	"strings"
)

var claimsCanBeRead = Check{
	Name:     "claims-can-be-read",
	Reason:   "One claim that does not convert makes every list of its version fail. All claims and templates are read in each served version, page by page, for at most a minute (--claim-timeout), and those that do not convert are named. Only metadata is asked for.",
	Severity: Problem,
	Remedy:   "Mend or delete the claim through v1alpha3, which needs no conversion; docs/troubleshooting.md has the texts.",
	find: func(v *view) {
		if v.groupIsTaken() || v.found(claimsCanBeWritten) && v.cannotBeCalled() {
			return // group-is-not-built-in, group-is-not-aggregated or claims-can-be-written say so
		}
		// Who asks for it has this time for both kinds together.
		ctx, cancel := context.WithTimeout(v.ctx, v.options.ClaimTimeout)
		defer cancel()
		for _, crd := range v.established() {
			(&reading{view: v, ctx: ctx, crd: crd, bad: map[string]int{}, unlisted: map[string]error{}}).all()
		}
	},
}

// cannotBeCalled, or only for other groups: claims-can-be-written said so.
func (v *view) cannotBeCalled() bool {
	return slices.ContainsFunc(v.earlier, func(r Result) bool {
		return r.Check.Name == claimsCanBeWritten.Name && slices.ContainsFunc(r.Findings, func(f Finding) bool {
			return strings.HasPrefix(f.What, cannotCall) || strings.HasPrefix(f.What, servesOthers)
		})
	})
}
