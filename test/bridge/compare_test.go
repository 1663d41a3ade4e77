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

// compare returns the differences between the responses of two servers to a scenario. It ignores intended differences,
// and records that they occurred.
func compare(ctx context.Context, reference, candidate *session, steps []step, intended []*intendedDifference) (
	differences []difference, err error,
) {
	for i, s := range steps {
		want, err := reference.runStep(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("step %d, %s: %w", i, s, err)
		}
		got, err := candidate.runStep(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("step %d, %s: %w", i, s, err)
		}
		isIntended := func(d *intendedDifference) bool {
			return (d.versions == nil || d.versions(candidate.served, candidate.version)) && d.appliesTo(s, want, got)
		}
		if diff := unintendedDiff(intended, isIntended, want, got); diff != "" {
			differences = append(differences, difference{index: i, step: s, diff: diff})
		}
	}
	return differences, nil
}

// unintendedDiff returns the difference between two responses, after it removes the intended differences from both.
func unintendedDiff(
	intended []*intendedDifference, isIntended func(*intendedDifference) bool, want, got *normalizedResponse,
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
		if reduced := cmp.Diff(want, got); reduced != diff {
			d.occurred.Store(true)
			diff = reduced
		}
	}
	return diff
}

// runStep runs a step of a scenario, and returns the normalized response.
func (s *session) runStep(ctx context.Context, st step) (*normalizedResponse, error) {
	var resp *response
	var err error
	if st.events != "" {
		resp, err = s.events(st.events, st.count)
	} else {
		resp, err = s.perform(ctx, st.request)
	}
	if err != nil {
		return nil, err
	}
	return s.normalize(resp), nil
}

// TestBridgeMatchesReference compares responses through a bridge with those of the reference, which serves the version
// itself.
func TestBridgeMatchesReference(t *testing.T) {
	t.Cleanup(func() {
		if !t.Failed() && isFullRun() {
			checkAllIntendedDifferencesOccurred(t)
		}
	})
	for _, pair := range versionPairs() {
		forEachScenario(t, pair.String(), pair.requested, func(t *testing.T, v manifests, steps []step) {
			t.Parallel()
			referenceSession := reference.session(t, string(v))
			bridgeSession := singleVersionClusters[pair.served].session(t, string(v))
			differences, err := compare(t.Context(), referenceSession, bridgeSession, steps, intendedDifferences)
			reportDifferences(t, differences, err)
		})
	}
}

// TestReferenceMatchesItself compares the reference with itself in two namespaces. It checks that values that always
// differ, such as UIDs, are not reported.
func TestReferenceMatchesItself(t *testing.T) {
	for _, version := range testedVersions {
		forEachScenario(t, version, version, func(t *testing.T, v manifests, steps []step) {
			t.Parallel()
			first := reference.session(t, string(v))
			second := reference.session(t, string(v))
			differences, err := compare(t.Context(), first, second, steps, nil)
			reportDifferences(t, differences, err)
		})
	}
}

// TestNumberOfRequests checks that no scenarios are lost. docs/bridge.md has 8,600 requests, which are those of all
// scenarios for each of six pairs of versions.
func TestNumberOfRequests(t *testing.T) {
	const minRequests = 1430
	for _, v := range testedVersions {
		got := 0
		for _, steps := range scenarios(t, manifests(v)) {
			got += len(slices.DeleteFunc(steps, func(s step) bool { return s.events != "" }))
		}
		t.Logf("%s: %d requests", v, got)
		if got < minRequests {
			t.Errorf("%s: got %d requests, want at least %d", v, got, minRequests)
		}
	}
}

// forEachScenario runs a subtest of name for each scenario in a version.
func forEachScenario(t *testing.T, name, version string, test func(t *testing.T, v manifests, steps []step)) {
	v := manifests(version)
	for scenario, steps := range scenarios(t, v) {
		t.Run(strings.ReplaceAll(name+"/"+scenario, " ", "_"), func(t *testing.T) { test(t, v, steps) })
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
