package validation

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
)

// checks of the source by release: of "Kubernetes 1.26 CT14, 1.31 to 1.33 DT1, 1.34+ DT2", 1.31,
// 1.32 and 1.33 have DT1.
func (r *Rule) checks() map[string][]string {
	text, upstream := strings.CutPrefix(r.Source, "Kubernetes ")
	if !upstream {
		return nil
	}
	all := map[string][]string{}
	for of := range strings.SplitSeq(text, ", ") {
		words := strings.Fields(of)
		numbers := slices.IndexFunc(words, func(w string) bool { return w[0] >= 'A' && w[0] <= 'Z' })
		for _, release := range expandReleases(strings.Join(words[:numbers], " ")) {
			all[release] = append(all[release], words[numbers:]...)
		}
	}
	return all
}

// expandReleases of a list such as "1.26, 1.30, 1.32 to 1.34, 1.36+".
func expandReleases(list string) (names []string) {
	for part := range strings.SplitSeq(list, ", ") {
		first, last, _ := strings.Cut(part, " to ")
		if from, later := strings.CutSuffix(part, "+"); later {
			releases := api.Releases()
			first, last = from, releases[len(releases)-1].Name
		}
		last = cmp.Or(last, first)
		for r := releaseOf(first); r <= releaseOf(last); r++ {
			names = append(names, r.String())
		}
	}
	return names
}

// TestRulesAreInTheReleasesOfTheirSource: Since and Until are the releases of the source, which other tests compare
// with the page of upstream's rules.
func TestRulesAreInTheReleasesOfTheirSource(t *testing.T) {
	for _, r := range upstreamRules {
		checks := r.checks()
		for _, name := range AllReleases() {
			release := releaseOf(name)
			isInRange := release >= r.Since && (r.Until == 0 || release <= r.Until)
			if isInSource := checks[name] != nil; isInRange != isInSource {
				t.Errorf("%s: by Since and Until Kubernetes %s has the rule: %t, by its source %q: %t", r.Name, name,
					isInRange, r.Source, isInSource)
			}
		}
		if r.Since == 0 {
			t.Errorf("%s has no first release", r.Name)
		} else if !slices.Contains(AllReleases(), r.Since.String()) {
			t.Errorf("%s begins in Kubernetes %s, which has no row in api/releases.go", r.Name, r.Since)
		}
	}
	for _, r := range storageRules {
		if r.Source != "claimbridge" || r.Since != 0 || r.Until != 0 {
			t.Errorf("%s: source %q, since %s, until %s", r.Name, r.Source, r.Since, r.Until)
		}
	}
}
