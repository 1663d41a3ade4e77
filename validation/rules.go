package validation

import (
	"regexp"
	"slices"
	"sync"

	"github.com/claimbridge/claimbridge/api"
)

// upstreamRules are the rules of Kubernetes, in the order in which they are checked. The rules of a release are for the
// versions that it serves: those of 1.26 for v1alpha1, those of 1.30 for v1alpha2, and those of 1.31 and later for
// versions with devices.
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
// rules have accepted it. Only the first rule that rejects the write reports errors: one defect in preserved data
// usually violates several rules, and this order puts the cause first.
var storageRules = slices.Concat(preservedDataRules, storedContentRules, storedReservationRules)

// rulesByRelease returns the upstreamRules of each release. storageRulesByRelease returns the storageRules of each
// release.
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

// Rules returns the rules for claims and templates of a version, in the order in which they are checked: Kubernetes'
// rules, then claimbridge's own. The release is one of [Releases], or "" for the default release of the version. Rules
// returns nil for an unknown version and for a release that does not serve the version.
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
