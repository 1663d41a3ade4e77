package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Rule is a rule that a write must comply with.
type Rule struct {
	// Name is in kebab-case, for example reservations-at-most-32. The directory examples/<name> has the rule's
	// examples.
	Name string
	// Reason describes what the rule requires, in one line.
	Reason string
	// Source says where the rule comes from. An example:
	//
	//	Kubernetes 1.26 CT14, 1.31 to 1.33 DT1, 1.34+ DT2
	//
	// The numbers after each release, or range of releases, are those of its checks in docs/upstream-rules.md. Their
	// letters stand for a part of the API:
	//
	//   - T: templates
	//   - CS and CT: spec and status of v1alpha1 and v1alpha2
	//   - DS and DT: spec and status of versions with devices
	//   - N: node selectors
	//
	// The source of a rule that Kubernetes does not have is "claimbridge". Tests compare Source with Since, Until and
	// the page.
	Source string
	// Since and Until are the first and the last release of Kubernetes that has the rule. Zero means no limit.
	Since, Until Release

	// operations is the set of operations on which the rule is checked.
	operations operations
	// isTransition is set if the rule compares the old object with the new one. It does not apply to the new one alone.
	isTransition bool
	// isNewerLimit is set for a rule that rejects objects that an earlier release stored. It is skipped for unchanged
	// templates, and when the v1 object that a write in v1alpha1 to v1alpha3 would store is validated. It still applies
	// to a spec or status that is restored from preserved data.
	isNewerLimit bool
	// coversLaterFields is set for a rule about fields of 1.32 and 1.33. claimbridge's v1alpha3 has these fields
	// although it is validated as in 1.31, so the rule applies to 1.31 as it does to 1.33.
	coversLaterFields bool
	check             func(in *input) field.ErrorList
}

// Error is an error of a rule.
type Error struct {
	// Rule is the name of the rule.
	Rule string
	*field.Error
}

// maxErrors limits the errors of a result, because a hostile object can cause 300 bytes of errors per 3 bytes of input.
// Objects near the limits of the API have fewer: 64 entries of configuration with 32 wrong references each make 4,096.
// 10,000 errors are about 3 MiB, which is also the largest request that an API server accepts.
const maxErrors = 10_000

// add appends errors of a check, up to maxErrors in total.
func add(errs field.ErrorList, more ...*field.Error) field.ErrorList {
	if room := maxErrors - len(errs); len(more) > room {
		more = more[:max(room, 0)]
	}
	return append(errs, more...)
}

// checkRules returns the errors of all rules that apply to a write with one of the operations. Errors that differ only
// in the value are reported once.
func checkRules(rules []Rule, in *input, ops operations) []Error {
	var all []Error
	seen := map[[3]string]bool{}
	for i := range rules {
		r := &rules[i]
		if !r.appliesTo(in, ops) {
			continue
		}
		for _, e := range r.check(in) {
			key := [3]string{string(e.Type), e.Field, e.Detail}
			if seen[key] {
				continue
			}
			if len(all) == maxErrors {
				return all
			}
			seen[key] = true
			all = append(all, Error{Rule: r.Name, Error: e})
		}
	}
	return all
}

// checkRulesUntilError returns the errors of the first rule that rejects the write.
func checkRulesUntilError(rules []Rule, in *input, ops operations) []Error {
	for i := range rules {
		if errs := checkRules(rules[i:i+1], in, ops); len(errs) > 0 {
			return errs
		}
	}
	return nil
}

// appliesTo reports whether the rule is checked for a write with one of the operations.
func (r *Rule) appliesTo(in *input, ops operations) bool {
	switch {
	case r.operations&ops == 0:
		return false
	case in.mode.contentOnly:
		return !r.isTransition && !r.isNewerLimit
	}
	return !r.isNewerLimit || !in.isUnchangedTemplate()
}

// isIn reports whether a release has the rule.
func (r *Rule) isIn(release Release) bool {
	if r.coversLaterFields && release == release1_31 {
		release = release1_33
	}
	return release >= r.Since && (r.Until == 0 || release <= r.Until)
}
