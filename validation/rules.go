package validation

import (
	"regexp"
	"slices"
	"sync"

	"github.com/claimbridge/claimbridge/api"
)

// upstreamRules are the rules of Kubernetes, in the order in which they are checked. A release belongs to the versions
// that it serves: 1.26 has rules of v1alpha1, 1.30 of v1alpha2, and 1.31 and later of those with devices.
var upstreamRules = slices.Concat(
	templateRules,
	classicSpecRules,
	requestRules,
	selectorRules,
	derivedAttributeRules,
	capacityRules,
	constraintRules,
	configRules,
	requestReferenceRules,
	tolerationRules,
	specRules,
	classicStatusRules,
	allocationRules,
	nodeSelectorRules,
	reservationRules,
	deviceStatusRules,
	networkDataRules,
	deallocationRules,
)

// storageRules are claimbridge's rules, for every version. They check the write as it would be stored, after upstream's
// rules have accepted it, and only until one rejects it: an error in preserved data usually breaks several of them, and
// the first one of this order names the cause.
var storageRules = slices.Concat(preservedDataRules, storedContentRules, storedReservationRules)

// rulesByRelease returns the upstreamRules of each release, and storageRulesByRelease the storageRules of each release.
var (
	rulesByRelease        = sync.OnceValue(func() map[Release][]Rule { return byRelease(upstreamRules) })
	storageRulesByRelease = sync.OnceValue(func() map[Release][]Rule { return byRelease(storageRules) })
)

func byRelease(rules []Rule) map[Release][]Rule {
	all := map[Release][]Rule{}
	for _, row := range api.Releases() {
		release := releaseOf(row.Name)
		for _, r := range rules {
			if r.isIn(release) {
				all[release] = append(all[release], r)
			}
		}
	}
	return all
}

// Rules returns the rules of a version in a release, one of [Releases], or "" for the version's default, for claims and
// templates, in the order in which they are checked: upstream's, then claimbridge's own. It returns nil for a version
// without rules, and for a release that does not serve the version.
func Rules(version, releaseName string) []Rule {
	release, err := validatingRelease(version, releaseName)
	if err != nil || claimReaders[version] == nil {
		return nil
	}
	return slices.Concat(rulesByRelease()[release], storageRulesByRelease()[release])
}

// RuleWithVersions is a rule with the versions that it applies to, oldest first. Its source has only releases.
type RuleWithVersions struct {
	Rule
	Versions []string
}

// sourceNumbers are the numbers in [Rule.Source].
var sourceNumbers = regexp.MustCompile(` [A-Z]+\d+\b`)

// RuleVersions returns each rule once: Kubernetes' rules in the order of the first version that has them, then
// claimbridge's own.
func RuleVersions() []RuleWithVersions {
	upstream := withVersions(upstreamRules)
	firstVersion := func(r RuleWithVersions) int {
		return slices.IndexFunc(api.Names(), func(version string) bool { return slices.Contains(r.Versions, version) })
	}
	slices.SortStableFunc(upstream, func(a, b RuleWithVersions) int { return firstVersion(a) - firstVersion(b) })
	return append(upstream, withVersions(storageRules)...)
}

func withVersions(rules []Rule) (all []RuleWithVersions) {
	for _, r := range rules {
		row := RuleWithVersions{Rule: r}
		row.Source = sourceNumbers.ReplaceAllString(r.Source, "")
		for _, version := range api.Names() {
			if slices.ContainsFunc(Releases(version), func(name string) bool { return r.isIn(releaseOf(name)) }) {
				row.Versions = append(row.Versions, version)
			}
		}
		all = append(all, row)
	}
	return all
}
