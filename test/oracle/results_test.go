package oracle

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/validation"
)

// recordedWrites of each version are generated, from the seeds 0, 1 and so on. The first of them,
// and the examples, break every rule.
const recordedWrites, firstWrites = 1500, 300

// TestResultsMatchUpstream compares with the recorded results of each release: for generated writes, for the examples
// of the rules, and for known differences between releases. A rule that rejects none of them fails the test.
func TestResultsMatchUpstream(t *testing.T) {
	count := uint64(recordedWrites)
	if testing.Short() {
		count = firstWrites
	}
	manifests := corpus(t)
	for _, version := range conversion.Versions() {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			validators, made := serving(version), map[uint64]validation.Request{}
			r := open(t, version, validators)
			for _, v := range validators {
				write := func(seed uint64) validation.Request {
					w, again := made[seed]
					if !again {
						w = generated(t, version, v.Name, seed, manifests[version]).request(t)
					}
					if v.Name != "1.31" { // whose writes are its own
						made[seed] = w
					}
					return w
				}
				t.Run("Kubernetes "+v.Name, func(t *testing.T) {
					trial{
						version:  version,
						upstream: r.upstreamOf(v),
						seeds:    seeds(0, firstWrites, r.Further[v.Name]...),
						rest:     seeds(firstWrites, count),
						write:    write,
					}.agree(t)
				})
			}
		})
	}
}

// trial of our results against those of one release.
type trial struct {
	version string
	*upstream
	// seeds of writes that break every rule, together with the examples, and of the rest.
	seeds, rest []uint64
	// write returns the write of a seed, and another seed whose write a rule rejects, if nothing is recorded yet.
	write   func(seed uint64) validation.Request
	further func(rule string) (seed uint64, found bool)
}

func (a trial) agree(t *testing.T) {
	t.Helper()
	n := tally{fired: map[string]int{}, excused: map[string]int{}}
	for _, seed := range a.seeds {
		n.add(t, "CLAIMBRIDGE_SEED="+decimal(seed), a.upstream, a.write(seed))
	}
	for _, w := range slices.Concat(examples(t, a.version, a.Name), probed(t, a.version, a.Name),
		upstreamCases(t, a.version, a.Name)) {
		c := n.add(t, w.what, a.upstream, w.request)
		if refused := len(c.rules) > 0; w.result != nil && c.difference == "" && refused != *w.result {
			t.Errorf("%s: rejected: %t", w.what, refused)
		}
	}
	agreeOnExpressions(t, a.version, a.upstream, 0, recordedSelections)
	for _, rule := range rulesOf(a.version, a.Name) {
		if n.fired[rule] == 0 && a.further != nil {
			if seed, found := a.further(rule); found {
				n.add(t, "CLAIMBRIDGE_SEED="+decimal(seed), a.upstream, a.write(seed))
			}
		}
		if n.fired[rule] == 0 {
			t.Errorf("rule %s of %s rejects none of the writes that Kubernetes %s was asked about, so nothing is "+
				"proved about it",
				rule, a.version, a.Name)
		}
	}
	n.log(t)
	n = tally{fired: map[string]int{}, excused: map[string]int{}}
	for _, seed := range a.rest {
		n.add(t, "CLAIMBRIDGE_SEED="+decimal(seed), a.upstream, a.write(seed))
	}
	n.log(t)
}

// seeds from one to another, and others.
func seeds(from, to uint64, others ...uint64) (all []uint64) {
	for ; from < to; from++ {
		all = append(all, from)
	}
	return append(all, others...)
}

// asked is a write that was written down.
type asked struct {
	what    string
	request validation.Request
	// result reports whether it is rejected, if that is known.
	result *bool
}

// tally of comparisons with one release.
type tally struct {
	fired, excused             map[string]int
	made, accepted, unreadable int
	differences                int
}

// add a comparison, and fail when the two differ; with the third time it is enough.
func (n *tally) add(t *testing.T, what string, u *upstream, r validation.Request) comparison {
	t.Helper()
	c := compare(t, u, r)
	if c.difference == missingRecord {
		t.Fatalf("Kubernetes %s, %s: %s", u.Name, what, missingRecord)
	}
	if c.difference != "" {
		t.Errorf("Kubernetes %s, %s: %s\n%s\nold: %s\nnew: %s", u.Name, what, c.difference, r.Operation,
			clip(r.OldObject), clip(r.Object))
		if n.differences++; n.differences == 3 {
			t.FailNow()
		}
	}
	n.note(c)
	return c
}

func (n *tally) note(c comparison) {
	n.made++
	switch {
	case c.excused != "":
		n.excused[c.excused]++
	case !c.decided:
		n.unreadable++
	case len(c.rules) == 0:
		n.accepted++
	}
	for rule := range c.rules {
		n.fired[rule]++
	}
}

func (n *tally) log(t *testing.T) {
	t.Helper()
	t.Logf("%d comparisons, %d accepted, %d unreadable, intended differences %v", n.made, n.accepted, n.unreadable,
		n.excused)
	for _, rule := range slices.Sorted(maps.Keys(n.fired)) {
		t.Logf("%8d %s", n.fired[rule], rule)
	}
}

// rulesOf a validator are those that its release has as well: a later field is validated as its first
// release does, and an older validator has none.
func rulesOf(version, release string) (names []string) {
	for _, rule := range validation.Rules(version, release) {
		if rule.Source != "claimbridge" && firstRelease(rule) <= release {
			names = append(names, rule.Name)
		}
	}
	return names
}

// firstRelease of Kubernetes that has a rule: of "Kubernetes 1.32 to 1.37 DS11", 1.32.
func firstRelease(r validation.Rule) string { return strings.Fields(r.Source)[1] }
