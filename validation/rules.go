package validation

import (
	"slices"

	"github.com/claimbridge/claimbridge/api"
)

// Rules of a version, for claims and templates, each once, in the order in which they are asked: the one about fields of
// later releases, then upstream's, then claimbridge's other ones. It is nil for a version that has none.
func Rules(name string) []Rule {
	v, known := versions[name]
	if !known {
		return nil
	}
	var rules []Rule
	if row, _ := api.Find(name); len(row.LaterFields) > 0 {
		rules = append(rules, noFieldOfLaterReleases)
	}
	for _, r := range slices.Concat(v.template, v.claim, ownRules) {
		if !slices.ContainsFunc(rules, func(known Rule) bool { return known.Name == r.Name }) {
			rules = append(rules, r)
		}
	}
	return rules
}
