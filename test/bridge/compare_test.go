//go:build e2e

package bridge

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// difference is a step to which two servers respond differently.
type difference struct {
	index int
	step  step
	diff  string
}

func (d difference) String() string { return fmt.Sprintf("step %d, %s:\n%s", d.index, d.step, d.diff) }

// compare returns the differences between the responses of two servers to a scenario. Intended differences are ignored,
// and recorded as occurred.
func compare(ctx context.Context, reference, other *session, steps []step, intended []*intendedDifference) (
	differences []difference, err error,
) {
	for i, s := range steps {
		want, err := reference.step(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("step %d, %s: %w", i, s, err)
		}
		got, err := other.step(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("step %d, %s: %w", i, s, err)
		}
		isIntended := func(d *intendedDifference) bool {
			return (d.versions == nil || d.versions(other.served, other.version)) && d.appliesTo(s, want, got)
		}
		if diff := diffWithout(intended, isIntended, want, got); diff != "" {
			differences = append(differences, difference{i, s, diff})
		}
	}
	return differences, nil
}

// diffWithout returns the difference between two responses after it removed the intended differences from both.
func diffWithout(
	intended []*intendedDifference, isIntended func(*intendedDifference) bool, want, got *normalized,
) string {
	diff := cmp.Diff(want, got)
	for _, d := range intended {
		if diff == "" {
			return ""
		}
		if !isIntended(d) {
			continue
		}
		d.ignore(want)
		d.ignore(got)
		if rest := cmp.Diff(want, got); rest != diff {
			d.occurred.Store(true)
			diff = rest
		}
	}
	return diff
}

// step returns the response to a step of a scenario.
func (s *session) step(ctx context.Context, st step) (*normalized, error) {
	var a *response
	var err error
	if st.events != "" {
		a, err = s.events(st.events, st.count)
	} else {
		a, err = s.perform(ctx, st.request)
	}
	if err != nil {
		return nil, err
	}
	return s.normalize(a), nil
}

// TestBridgeMatchesReference compares responses through a bridge with those of the reference, which serves the version
// itself.
func TestBridgeMatchesReference(t *testing.T) {
	t.Cleanup(func() {
		if !t.Failed() && isFullRun() {
			checkAllOccurred(t)
		}
	})
	forEachPair(func(served, requested string) {
		forEachScenario(t, requested+" over "+served, requested, func(t *testing.T, v manifests, steps []step) {
			t.Parallel()
			bridged := singleVersionClusters[served].session(t, string(v))
			differences, err := compare(t.Context(), reference.session(t, string(v)), bridged, steps, intendedDifferences)
			reportDifferences(t, differences, err)
		})
	})
}

// TestReferenceMatchesItself compares the reference with itself, in two namespaces: values that always differ are not
// reported.
func TestReferenceMatchesItself(t *testing.T) {
	for _, version := range testedVersions {
		forEachScenario(t, version, version, func(t *testing.T, v manifests, steps []step) {
			t.Parallel()
			first, second := reference.session(t, string(v)), reference.session(t, string(v))
			differences, err := compare(t.Context(), first, second, steps, nil)
			reportDifferences(t, differences, err)
		})
	}
}

// TestNumberOfRequests checks that no scenario is lost. There are six pairs of versions, so the requests are the 8,600
// of docs/bridge.md.
func TestNumberOfRequests(t *testing.T) {
	const minRequests = 1430
	for _, v := range testedVersions {
		got := 0
		for _, steps := range scenarios(t, manifests(v)) {
			got += len(slices.DeleteFunc(steps, func(s step) bool { return s.events != "" }))
		}
		if t.Logf("%s: %d requests", v, got); got < minRequests {
			t.Errorf("%s: %d requests, fewer than %d", v, got, minRequests)
		}
	}
}

// forEachScenario runs a subtest for each scenario in a version.
func forEachScenario(t *testing.T, name, version string, do func(t *testing.T, v manifests, steps []step)) {
	v := manifests(version)
	for scenario, steps := range scenarios(t, v) {
		t.Run(strings.ReplaceAll(name+"/"+scenario, " ", "_"), func(t *testing.T) { do(t, v, steps) })
	}
}

// isFullRun reports whether -run selects all scenarios.
func isFullRun() bool {
	pattern := flag.Lookup("test.run").Value.String()
	return !strings.Contains(pattern, "/")
}

func reportDifferences(t *testing.T, differences []difference, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range differences {
		t.Errorf("%s", d)
	}
}
