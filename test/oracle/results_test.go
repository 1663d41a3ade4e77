package oracle

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/validation"
)

const (
	// recordedWrites is the number of writes of each version, which are generated from the seeds 0, 1 and so on.
	recordedWrites = 1500
	// firstWrites is the number of these that, together with the examples, violate every rule.
	firstWrites = 300
)

// TestResultsMatchUpstream compares results with the recorded ones of each release: for generated writes, for the
// examples of the rules, and for known differences between releases. The test fails if a rule rejects none of them.
func TestResultsMatchUpstream(t *testing.T) {
	count := uint64(recordedWrites)
	if testing.Short() {
		count = firstWrites
	}
	manifests := corpus(t)
	for _, version := range conversion.Versions() {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			validators, writes := serving(version), map[uint64]validation.Request{}
			r := openRecord(t, version, validators)
			for _, v := range validators {
				write := func(seed uint64) validation.Request {
					w, found := writes[seed]
					if !found {
						w = generateWrite(t, version, v.Name, seed, manifests[version]).request(t)
					}
					if v.Name != "1.31" { // its writes have no later fields
						writes[seed] = w
					}
					return w
				}
				t.Run("Kubernetes "+v.Name, func(t *testing.T) {
					recordedComparison{
						version:  version,
						upstream: r.upstreamOf(v),
						seeds:    seeds(0, firstWrites, r.Further[v.Name]...),
						rest:     seeds(firstWrites, count),
						write:    write,
					}.run(t)
				})
			}
		})
	}
}

// recordedComparison compares the results of claimbridge with those of one release.
type recordedComparison struct {
	version string
	*upstream
	// seeds of writes that violate every rule, together with the examples, and of the rest.
	seeds, rest []uint64
	// write returns the write of a seed.
	write func(seed uint64) validation.Request
	// search returns the seed of another write that a rule rejects. It is nil unless results are recorded.
	search func(rule string) (seed uint64, found bool)
}

func (r recordedComparison) run(t *testing.T) {
	t.Helper()
	n := tally{rejections: map[string]int{}, excused: map[string]int{}}
	for _, seed := range r.seeds {
		n.add(t, "CLAIMBRIDGE_SEED="+decimal(seed), r.upstream, r.write(seed))
	}
	for _, w := range slices.Concat(examples(t, r.version, r.Name), probesOf(t, r.version, r.Name),
		upstreamCases(t, r.version, r.Name)) {
		c := n.add(t, w.name, r.upstream, w.request)
		if rejected := len(c.rules) > 0; w.wantRejected != nil && c.difference == "" && rejected != *w.wantRejected {
			t.Errorf("%s: rejected: %t", w.name, rejected)
		}
	}
	compareExpressions(t, r.version, r.upstream, 0, recordedBatches)
	for _, rule := range rulesOf(r.version, r.Name) {
		if n.rejections[rule] == 0 && r.search != nil {
			if seed, found := r.search(rule); found {
				n.add(t, "CLAIMBRIDGE_SEED="+decimal(seed), r.upstream, r.write(seed))
			}
		}
		if n.rejections[rule] == 0 {
			t.Errorf("rule %s of %s rejects none of the writes of Kubernetes %s, so the test proves nothing about it",
				rule, r.version, r.Name)
		}
	}
	n.log(t)
	n = tally{rejections: map[string]int{}, excused: map[string]int{}}
	for _, seed := range r.rest {
		n.add(t, "CLAIMBRIDGE_SEED="+decimal(seed), r.upstream, r.write(seed))
	}
	n.log(t)
}

// seeds returns the numbers from one to another, and additional ones.
func seeds(from, to uint64, additional ...uint64) (all []uint64) {
	for ; from < to; from++ {
		all = append(all, from)
	}
	return append(all, additional...)
}

// writtenTest is a write that is not generated.
type writtenTest struct {
	name    string
	request validation.Request
	// wantRejected is the expected result, or nil if it is not known.
	wantRejected *bool
}

// tally of comparisons with one release.
type tally struct {
	// rejections by rule, and excused differences by reason.
	rejections, excused             map[string]int
	compared, accepted, undecodable int
	differences                     int
}

// add compares the results for a write. A difference fails the test, and the third one ends it.
func (n *tally) add(t *testing.T, name string, u *upstream, r validation.Request) comparison {
	t.Helper()
	c := compare(t, u, r)
	if c.difference == missingRecord {
		t.Fatalf("Kubernetes %s, %s: %s", u.Name, name, missingRecord)
	}
	if c.difference != "" {
		t.Errorf("Kubernetes %s, %s: %s\n%s\nold: %s\nnew: %s", u.Name, name, c.difference, r.Operation,
			clip(r.OldObject), clip(r.Object))
		if n.differences++; n.differences == 3 {
			t.FailNow()
		}
	}
	n.count(c)
	return c
}

func (n *tally) count(c comparison) {
	n.compared++
	switch {
	case c.excused != "":
		n.excused[c.excused]++
	case !c.hasResult:
		n.undecodable++
	case len(c.rules) == 0:
		n.accepted++
	}
	for rule := range c.rules {
		n.rejections[rule]++
	}
}

func (n *tally) log(t *testing.T) {
	t.Helper()
	t.Logf("%d comparisons, %d accepted, %d undecodable, intended differences %v",
		n.compared, n.accepted, n.undecodable, n.excused)
	for _, rule := range slices.Sorted(maps.Keys(n.rejections)) {
		t.Logf("%8d %s", n.rejections[rule], rule)
	}
}

// rulesOf returns the rules that a release also has. A later field is validated like in its first release, and older
// releases have no rules for it.
func rulesOf(version, release string) (names []string) {
	for _, rule := range validation.Rules(version, release) {
		if rule.Source != "claimbridge" && firstRelease(rule) <= release {
			names = append(names, rule.Name)
		}
	}
	return names
}

// firstRelease returns the first release of Kubernetes that has a rule: 1.32 for "Kubernetes 1.32 to 1.37 DS11".
func firstRelease(r validation.Rule) string { return strings.Fields(r.Source)[1] }
