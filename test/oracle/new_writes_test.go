//go:build oracle

package oracle

import (
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/validation"
)

// provingComparisons are enough for every rule to reject a write in nearly every run. If a rule rejects none, there are
// more comparisons, up to five times as many.
const provingComparisons = 20_000

func comparisons(t *testing.T) int {
	t.Helper()
	return objects.Count(t, "CLAIMBRIDGE_COMPARISONS", provingComparisons)
}

// TestUpstreamAgrees compares the results of releases and of claimbridge for the same new writes.
// CLAIMBRIDGE_SEED repeats a run, and is the seed of its first write. CLAIMBRIDGE_COMPARISONS sets the number for each
// release and version.
func TestUpstreamAgrees(t *testing.T) {
	first, count := objects.Seed(t), comparisons(t)
	manifests := corpus(t)
	for _, v := range chosen(t) {
		for _, version := range v.Versions {
			t.Run("Kubernetes "+v.Name+" "+version, func(t *testing.T) {
				t.Parallel()
				unproven := func(n tally) []string {
					return slices.DeleteFunc(rulesOf(version, v.Name), func(rule string) bool {
						return n.rejections[rule] > 0
					})
				}
				more := func(n tally) bool {
					return n.compared < count ||
						count >= provingComparisons && n.compared < 5*provingComparisons && len(unproven(n)) > 0
				}
				unchanged := func(*writeTree) {}
				n := compareNewWrites(t, v.start(t), version, first, manifests[version], unchanged, more)
				n.log(t)
				if rules := unproven(n); count >= provingComparisons && len(rules) > 0 {
					t.Errorf("rules that rejected no write, so this run proves nothing about them: %s",
						strings.Join(rules, ", "))
				}
			})
		}
	}
}

// compareNewWrites compares the results for new writes until more returns false. Writes without an answer are not
// counted.
func compareNewWrites(t *testing.T, u *upstream, version string, seed uint64, manifests [][]byte,
	change func(*writeTree), more func(tally) bool,
) tally {
	t.Helper()
	n := tally{rejections: map[string]int{}, excused: map[string]int{}}
	for ; more(n); seed++ {
		w := generateWrite(t, version, u.Name, seed, manifests)
		change(w)
		r := w.request(t)
		c := compare(t, u, r)
		if c.difference == missingRecord {
			continue
		} else if c.difference != "" {
			t.Fatalf("CLAIMBRIDGE_SEED=%d, %s by Kubernetes %s: %s\n%s\nold: %s\nnew: %s",
				seed, version, u.Name, c.difference, r.Operation, clip(r.OldObject), clip(r.Object))
		}
		n.count(c)
	}
	return n
}

// TestUpstreamAgreesOnExpressions compares new expressions, as many as TestUpstreamAgrees compares writes.
func TestUpstreamAgreesOnExpressions(t *testing.T) {
	first := objects.Seed(t)
	for _, v := range chosen(t) {
		t.Run("Kubernetes "+v.Name, func(t *testing.T) {
			t.Parallel()
			compareExpressions(t, v.Versions[len(v.Versions)-1], v.start(t), first, max(1, comparisons(t)/batchSize))
		})
	}
}

// TestConversionOfNewObjectsMatchesUpstream compares the conversions of new objects, including those of package
// unstructured.
func TestConversionOfNewObjectsMatchesUpstream(t *testing.T) {
	first := objects.Seed(t)
	for _, v := range chosen(t) {
		t.Run("Kubernetes "+v.Name, func(t *testing.T) {
			t.Parallel()
			if len(v.Versions) > 1 {
				compareConversions(t, v.start(t), first, max(20, comparisons(t)/10))
			}
			if slices.Contains(v.Versions, "v1") {
				compareProjections(t, v.start(t), first, max(10, comparisons(t)/20))
			}
		})
	}
}

// TestAllocationsThroughOldVersionsAreValidUpstream validates them with the validator of 1.36.
func TestAllocationsThroughOldVersionsAreValidUpstream(t *testing.T) {
	u := defaultValidators(t)["v1"]
	if u == nil {
		t.Skip("this run does not select 1.36")
	}
	allocate(t, comparisons(t)/20, func(version string, r validation.Request) {
		if a := u.ask(t, r); len(a.Errors) > 0 || a.Undecodable+a.Panic != "" {
			t.Fatalf("Kubernetes rejects an allocation through %s: %v %s\n%s", version, a.Errors, a.Undecodable+a.Panic,
				clip(r.Object))
		}
	})
}
