package validation

import "slices"

// Rules of a version, for claims and templates, each once, in the order in which they are asked: upstream's in the release
// that is the version's default, then claimbridge's own. It is nil for a version that has none.
func Rules(version string) []Rule { return RulesOf(version, "") }

// RulesOf a version as [Rules], but in a release, one of [Releases]. It is nil for a release that has none.
func RulesOf(name, releaseName string) []Rule {
	v, known := versions[name]
	if !known {
		return nil
	}
	judge, err := judgeOf(name, releaseName)
	if err != nil {
		return nil
	}
	var rules []Rule
	for _, r := range slices.Concat(v.template, v.claim, ownRules) {
		if r.isOf(judge) && !slices.ContainsFunc(rules, func(known Rule) bool { return known.Name == r.Name }) {
			rules = append(rules, r)
		}
	}
	return rules
}
