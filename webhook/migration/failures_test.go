package migration

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var claimsResource = schema.GroupResource{Group: testGroup, Resource: "resourceclaims"}

func forbidden(text string) *apierrors.StatusError {
	return apierrors.NewForbidden(claimsResource, "x", errors.New(text))
}

// refusedByWebhook is what a webhook forbids, in its words alone.
func refusedByWebhook(text string) *apierrors.StatusError {
	err := forbidden("")
	err.ErrStatus.Message = text
	return err
}

// What is about one claim leaves it as it is stored, and the definition with it; all others are written. A right that is missing, in the words of
// each API server for its authorizers, ends the run.
func TestAClaimThatFailsIsPassedOver(t *testing.T) {
	const lacking = `User "jane" cannot patch resource "resourceclaims" in API group "claims.example.com" in the namespace "default"`
	for name, test := range map[string]struct {
		err   *apierrors.StatusError
		stops bool
	}{
		"a rule refuses it":       {apierrors.NewInvalid(schema.GroupKind{}, "b", nil), false},
		"a webhook denies it":     {forbidden("no"), false},
		"an admission policy":     {forbidden(`ValidatingAdmissionPolicy 'x' with binding 'x' denied request: User "jane" cannot patch resource "resourceclaims" here`), false},
		"a webhook on rights":     {refusedByWebhook(`admission webhook "policy.example.com" denied the request: a resource claim cannot have adminAccess here`), false},
		"it does not convert":     {apierrors.NewInternalError(errors.New("conversion webhook for claims.example.com/v1alpha3, Kind=ResourceClaim failed: b: spec: no object")), false},
		"it cannot be read":       {apierrors.NewInternalError(errors.New("unable to decode")), false},
		"a right":                 {forbidden(lacking), true},
		"a right, and the reason": {forbidden(lacking + `: RBAC: clusterrole.rbac.authorization.k8s.io "x" not found`), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cluster := &fakeCluster{pages: twoPages(), refuse: func(asked string) *apierrors.StatusError {
				if asked == "patch b" {
					return test.err
				}
				return nil
			}}
			outcome, failed, err := cluster.run(t, Options{})
			met, stopped := errors.AsType[*ObstacleError](outcome.Err)
			if !errors.Is(err, ErrIncomplete) || stopped != test.stops || outcome.Finished || len(cluster.patchesOfStatus()) > 0 {
				t.Errorf("%v, %+v", err, outcome)
			}
			want, done := []string{"b"}, 3
			if stopped {
				want, done = nil, 1
			}
			if diff := cmp.Diff(want, failed); diff != "" || outcome.Done != done || outcome.Written != done-len(failed) || stopped && met.Kind != NoRight {
				t.Errorf("%+v, failed (-want +got):\n%s", outcome, diff)
			}
		})
	}
}

// However many claims one after the other are refused, those behind them are written; only faults of the API server
// itself, one after the other, end a run.
func TestFailuresInARow(t *testing.T) {
	invalid := apierrors.NewInvalid(schema.GroupKind{}, "x", nil)
	internal := apierrors.NewInternalError(errors.New("etcdserver: no leader"))
	inconvertible := apierrors.NewInternalError(errors.New("conversion webhook for claims.example.com/v1alpha3, Kind=ResourceClaim failed: x: spec: no object"))
	gone := apierrors.NewNotFound(claimsResource, "x")
	for name, test := range map[string]struct {
		failures []*apierrors.StatusError // of the first claims; nil is none
		done     int                      // of these
		stops    bool
	}{
		"hundreds that are refused":                  {failures: repeated(300, invalid), done: 300},
		"hundreds that do not convert":               {failures: repeated(300, inconvertible), done: 300},
		"two faults of the API server":               {failures: repeated(2, internal), done: 2},
		"three faults of the API server":             {failures: repeated(5, internal), done: 3, stops: true},
		"three faults with answers between":          {failures: []*apierrors.StatusError{internal, nil, internal, gone, internal, internal}, done: 6},
		"three faults with refusals between":         {failures: []*apierrors.StatusError{internal, invalid, internal, inconvertible, internal}, done: 5},
		"three faults behind some that are refused":  {failures: append(repeated(2, invalid), repeated(3, internal)...), done: 5, stops: true},
		"the third failure is one of the API server": {failures: []*apierrors.StatusError{invalid, invalid, internal}, done: 3},
	} {
		for _, dryRun := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, dry run: %t", name, dryRun), func(t *testing.T) {
				t.Parallel()
				var names []string
				refused := map[string]*apierrors.StatusError{}
				for i, err := range test.failures {
					name := fmt.Sprintf("claim-%d", i)
					names = append(names, name)
					refused[name] = err
				}
				cluster := &fakeCluster{pages: map[string]fakePage{"": {names: names, next: "page-2"}, "page-2": {names: []string{"last"}}}}
				cluster.refuse = func(asked string) *apierrors.StatusError {
					_, name, _ := strings.Cut(asked, " ")
					return refused[name]
				}
				outcome, _, err := cluster.run(t, Options{DryRun: dryRun})
				obstacle, stopped := errors.AsType[*ObstacleError](outcome.Err)
				want := test.done
				if !test.stops {
					want++ // the last
				}
				if !errors.Is(err, ErrIncomplete) || stopped != test.stops || outcome.Done != want || len(cluster.patchesOfStatus()) > 0 {
					t.Errorf("%v, %+v", err, outcome)
				}
				if stopped && obstacle.Kind != NoServer {
					t.Errorf("%s: %v", obstacle.Kind, obstacle)
				}
			})
		}
	}
}

func repeated(n int, err *apierrors.StatusError) (all []*apierrors.StatusError) {
	for range n {
		all = append(all, err)
	}
	return all
}
