package validation

import (
	"regexp"
	"slices"

	"github.com/claimbridge/claimbridge/api"
)

// Rules of a version in a release, one of [Releases], or "" for the version's default, for claims
// and templates, each once, in the order in which they are asked: upstream's, then claimbridge's
// own. It is nil for a version or a release that has none.
func Rules(version, releaseName string) []Rule {
	judge, err := judgeOf(version, releaseName)
	if err != nil || versions[version] == nil {
		return nil
	}
	return slices.Concat(rulesByRelease()[judge], ownRules)
}

// Listed is a rule with the versions in which it holds, oldest first. Its source names releases only.
type Listed struct {
	Rule
	Versions []string
}

// checkNumbers are how tests count the checks of a release; see Rule.Source.
var checkNumbers = regexp.MustCompile(` [A-Z]+\d+\b`)

// Listing has each rule once: Kubernetes' rules in the order in which versions brought them, then claimbridge's own.
func Listing() []Listed {
	upstream := listed(upstreamRules)
	slices.SortStableFunc(upstream, func(a, b Listed) int {
		return slices.Index(api.Names(), a.Versions[0]) - slices.Index(api.Names(), b.Versions[0])
	})
	return append(upstream, listed(ownRules)...)
}

func listed(rules []Rule) (all []Listed) {
	for _, r := range rules {
		l := Listed{Rule: r}
		l.Source = checkNumbers.ReplaceAllString(r.Source, "")
		for _, version := range api.Names() {
			if slices.ContainsFunc(Releases(version), func(name string) bool { return r.isOf(releaseOf(name)) }) {
				l.Versions = append(l.Versions, version)
			}
		}
		all = append(all, l)
	}
	return all
}
