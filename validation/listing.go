package validation

import (
	"regexp"
	"slices"

	"github.com/claimbridge/claimbridge/conversion"
)

// Listed is a rule with the versions in which it holds, oldest first. Its source names releases only.
type Listed struct {
	Rule
	Versions []string
}

// checkNumbers are how tests count the checks of a release; see Rule.Source.
var checkNumbers = regexp.MustCompile(` [A-Z]+\d+\b`)

// Own reports whether the rule is one of claimbridge's, not one of Kubernetes.
func (l Listed) Own() bool {
	return l.Source == "claimbridge"
}

// Listing has each rule once: Kubernetes' rules in the order in which versions brought them, then claimbridge's own.
func Listing() []Listed {
	var upstream, own []Listed
	add := func(to []Listed, r Rule, version string) []Listed {
		i := slices.IndexFunc(to, func(l Listed) bool { return l.Name == r.Name })
		if i < 0 {
			r.Source = checkNumbers.ReplaceAllString(r.Source, "")
			return append(to, Listed{Rule: r, Versions: []string{version}})
		}
		to[i].Versions = append(to[i].Versions, version)
		return to
	}
	for _, version := range conversion.Versions() {
		for _, r := range rulesOfAllReleases(version) {
			if (Listed{Rule: r}).Own() {
				own = add(own, r, version)
			} else {
				upstream = add(upstream, r, version)
			}
		}
	}
	return append(upstream, own...)
}

// rulesOfAllReleases of a version, each once.
func rulesOfAllReleases(version string) (rules []Rule) {
	for _, release := range Releases(version) {
		for _, r := range RulesOf(version, release) {
			if !slices.ContainsFunc(rules, func(known Rule) bool { return known.Name == r.Name }) {
				rules = append(rules, r)
			}
		}
	}
	return rules
}
