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

// problem is a step that two servers do not answer alike.
type problem struct {
	at   int
	step step
	diff string
}

func (p problem) String() string { return fmt.Sprintf("step %d, %s:\n%s", p.at, p.step, p.diff) }

// compare what two servers answer to a scenario. The differences on purpose are taken away, and marked as met.
func compare(ctx context.Context, left, right *session, steps []step,
	purposes []*purpose,
) (problems []problem, err error) {
	for i, s := range steps {
		want, err := left.step(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("step %d, %s: %w", i, s, err)
		}
		got, err := right.step(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("step %d, %s: %w", i, s, err)
		}
		diff := cmp.Diff(want, got)
		for _, p := range purposes {
			if diff == "" {
				break
			}
			if p.served != nil && !p.served(right.served(), right.version) || !p.applies(s, want, got) {
				continue
			}
			p.forget(want)
			p.forget(got)
			if rest := cmp.Diff(want, got); rest != diff {
				p.met.Store(true)
				diff = rest
			}
		}
		if diff != "" {
			problems = append(problems, problem{i, s, diff})
		}
	}
	return problems, nil
}

// step of a scenario, as it is seen.
func (s *session) step(ctx context.Context, st step) (*seen, error) {
	var a *answer
	var err error
	if st.events != "" {
		a, err = s.events(st.events, st.count)
	} else {
		a, err = s.do(ctx, st.request)
	}
	if err != nil {
		return nil, err
	}
	return s.normal(a), nil
}

// What a bridge answers is what the API server of the key answers, which serves the version itself.
func TestTheKeyAgrees(t *testing.T) {
	t.Cleanup(func() {
		if !t.Failed() && everythingRan() {
			purposesAreMet(t)
		}
	})
	ways(func(served, asked string) {
		each(t, asked+" over "+served, asked, func(t *testing.T, v shape, steps []step) {
			t.Parallel()
			problems, err := compare(t.Context(), key.session(t, string(v)), alone[served].session(t, string(v)), steps,
				purposes)
			report(t, problems, err)
		})
	})
}

// The key agrees with itself, in two namespaces: what differs by nature is not told as a difference.
func TestTheKeyAgreesWithItself(t *testing.T) {
	for _, version := range whole {
		each(t, version, version, func(t *testing.T, v shape, steps []step) {
			t.Parallel()
			problems, err := compare(t.Context(), key.session(t, string(v)), key.session(t, string(v)), steps, nil)
			report(t, problems, err)
		})
	}
}

// As many requests as the page says; a scenario that is read no more proves nothing.
func TestThereAreEnoughRequests(t *testing.T) {
	const enough = 1430
	for _, v := range whole {
		got := 0
		for _, steps := range scenarios(t, shape(v)) {
			got += len(slices.DeleteFunc(steps, func(s step) bool { return s.events != "" }))
		}
		if t.Logf("%s: %d requests", v, got); got < enough {
			t.Errorf("%s: %d requests, fewer than %d", v, got, enough)
		}
	}
}

func each(t *testing.T, name, version string, do func(t *testing.T, v shape, steps []step)) {
	v := shape(version)
	for scenario, steps := range scenarios(t, v) {
		t.Run(strings.ReplaceAll(name+"/"+scenario, " ", "_"), func(t *testing.T) { do(t, v, steps) })
	}
}

// everythingRan, and not what -run chose.
func everythingRan() bool {
	chosen := flag.Lookup("test.run").Value.String()
	return !strings.Contains(chosen, "/")
}

func report(t *testing.T, problems []problem, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s", p)
	}
}
