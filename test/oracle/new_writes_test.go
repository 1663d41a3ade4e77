//go:build oracle

package oracle

import (
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/validation"
)

// provingComparisons are enough for every rule to fire in nearly every run. Where one did not, more
// are made, up to five times as many.
const provingComparisons = 20_000

func comparisons(t *testing.T) int {
	t.Helper()
	return objects.Count(t, "CLAIMBRIDGE_COMPARISONS", provingComparisons)
}

// TestUpstreamAgrees compares the results of releases and of claimbridge for the same new writes. CLAIMBRIDGE_SEED
// repeats a run, and is the seed of its first write. CLAIMBRIDGE_COMPARISONS sets the number for each release and
// version.
func TestUpstreamAgrees(t *testing.T) {
	first, count := objects.Seed(t), comparisons(t)
	manifests := corpus(t)
	for _, v := range chosen(t) {
		for _, version := range v.Versions {
			t.Run("Kubernetes "+v.Name+" "+version, func(t *testing.T) {
				t.Parallel()
				unproven := func(n tally) []string {
					return slices.DeleteFunc(rulesOf(version, v.Name), func(rule string) bool {
						return n.fired[rule] > 0
					})
				}
				n := agrees(t, v.start(t), version, first, manifests[version], func(*writeTree) {}, func(n tally) bool {
					return n.made < count ||
						count >= provingComparisons && n.made < 5*provingComparisons && len(unproven(n)) > 0
				})
				n.log(t)
				if rules := unproven(n); count >= provingComparisons && len(rules) > 0 {
					t.Errorf("never fired, so this run proves nothing about them: %s", strings.Join(rules, ", "))
				}
			})
		}
	}
}

// agrees wants upstream to say of fresh writes what we say, for as long as there are to be more. A
// question without an answer counts for nothing.
func agrees(t *testing.T, u *upstream, version string, seed uint64, manifests [][]byte, change func(*writeTree),
	more func(tally) bool,
) tally {
	t.Helper()
	n := tally{fired: map[string]int{}, excused: map[string]int{}}
	for ; more(n); seed++ {
		w := generated(t, version, u.Name, seed, manifests)
		change(w)
		r := w.request(t)
		c := compare(t, u, r)
		if c.difference == missingRecord {
			continue
		} else if c.difference != "" {
			t.Fatalf("CLAIMBRIDGE_SEED=%d, %s by Kubernetes %s: %s\n%s\nold: %s\nnew: %s",
				seed, version, u.Name, c.difference, r.Operation, clip(r.OldObject), clip(r.Object))
		}
		n.note(c)
	}
	return n
}

// TestUpstreamAgreesOnExpressions asks about fresh ones, as many as there are comparisons.
func TestUpstreamAgreesOnExpressions(t *testing.T) {
	first := objects.Seed(t)
	for _, v := range chosen(t) {
		t.Run("Kubernetes "+v.Name, func(t *testing.T) {
			t.Parallel()
			agreeOnExpressions(t, v.Versions[len(v.Versions)-1], v.start(t), first, max(1, comparisons(t)/20))
		})
	}
}

// TestConversionOfNewObjectsMatchesUpstream, in package unstructured as well.
func TestConversionOfNewObjectsMatchesUpstream(t *testing.T) {
	first := objects.Seed(t)
	for _, v := range chosen(t) {
		t.Run("Kubernetes "+v.Name, func(t *testing.T) {
			t.Parallel()
			if len(v.Versions) > 1 {
				convertsLikeUs(t, v.start(t), first, max(20, comparisons(t)/10))
			}
			if slices.Contains(v.Versions, "v1") {
				showsLikeUs(t, v.start(t), first, max(10, comparisons(t)/20))
			}
		})
	}
}

func TestAllocationsThroughOldVersionsAreValidUpstream(t *testing.T) {
	u := usual(t)["v1"]
	if u == nil {
		t.Skip("1.36 is not asked in this run")
	}
	allocate(t, comparisons(t)/20, func(version string, r validation.Request) {
		if a := u.ask(t, r); len(a.Errors) > 0 || a.Undecodable+a.Panic != "" {
			t.Fatalf("Kubernetes rejects what %s allocates: %v %s\n%s", version, a.Errors, a.Undecodable+a.Panic,
				clip(r.Object))
		}
	})
}
