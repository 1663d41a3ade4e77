//go:build oracle

package oracle

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/validation"
)

// TestJudgesSayWhatTheyDid asks the judges of 1.32 and later what they say, in all versions that they serve.
func TestJudgesSayWhatTheyDid(t *testing.T) {
	for _, j := range chosen(t) {
		if j.Name < "1.32" {
			continue
		}
		t.Run("Kubernetes "+j.Name, func(t *testing.T) {
			asked, stored := map[string]*upstream{}, map[bool]int{}
			for name, p := range probes(t) {
				for _, version := range j.Versions {
					want, wanted := p.wanted(j.Name, version)
					if !wanted {
						continue
					}
					if asked[p.Gates] == nil {
						asked[p.Gates] = j.start(t, p.Gates)
					}
					got := asked[p.Gates].summary(t, p.request(t, version))
					if got != want {
						t.Errorf("%s, %s\n got: %s\nwant: %s", name, version, orElse(got, "stored"), orElse(want, "stored"))
					}
					stored[got == ""]++
				}
			}
			if t.Logf("%d refused, %d stored", stored[false], stored[true]); stored[false] < 40 || stored[true] < 20 {
				t.Error("that is too few to say something about the release")
			}
		})
	}
}

// summary of an answer: types and fields of the errors, in order.
func (u *upstream) summary(t *testing.T, r validation.Request) string {
	t.Helper()
	a := u.ask(t, r)
	if a.Undecodable+a.Panic != "" {
		return "undecodable " + a.Undecodable + a.Panic
	}
	return strings.Join(slices.Sorted(maps.Keys(contentOf(a))), ", ")
}
