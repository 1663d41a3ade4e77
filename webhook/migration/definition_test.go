package migration

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// What status.storedVersions says is only changed of the definition whose claims were written.
func TestADefinitionThatWasChangedStaysAsItIs(t *testing.T) {
	patch := func(resourceVersion string) string {
		return fmt.Sprintf(`{"metadata":{"resourceVersion":%q,"uid":"1"},"status":{"storedVersions":["v1"]}}`, resourceVersion)
	}
	conflict := func(asked string) *apierrors.StatusError {
		return apierrors.NewConflict(definitionsResource.GroupResource(), asked, fmt.Errorf("changed"))
	}
	for name, test := range map[string]struct {
		later    fakeDefinition // than the first time
		refuse   func(string) *apierrors.StatusError
		want     []string
		finished bool
	}{
		"its status was written":             {later: fakeDefinition{"1", "8", 1}, want: []string{patch("8")}, finished: true},
		"its spec was changed":               {later: fakeDefinition{"1", "8", 2}},
		"it is another one of the same name": {later: fakeDefinition{"2", "8", 1}},
		"its status is written once meanwhile": {
			later: fakeDefinition{"1", "8", 1}, refuse: once("patch status of definition "+patch("8"), conflict("")),
			want: []string{patch("8"), patch("8")}, finished: true,
		},
		"its status is written all the time": {
			later: fakeDefinition{"1", "8", 1}, refuse: func(asked string) *apierrors.StatusError {
				if asked == "patch status of definition "+patch("8") {
					return conflict(asked)
				}
				return nil
			},
			want: []string{patch("8"), patch("8"), patch("8"), patch("8"), patch("8")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cluster := &fakeCluster{pages: twoPages(), refuse: test.refuse, definition: func(get int) fakeDefinition {
				if get == 1 {
					return fakeDefinition{"1", "7", 1}
				}
				return test.later
			}}
			outcome, _, err := cluster.run(t, Options{})
			if outcome.Finished != test.finished || (err == nil) != test.finished || outcome.Done != 3 {
				t.Errorf("%v, %+v", err, outcome)
			}
			if diff := cmp.Diff(test.want, cluster.patchesOfStatus()); diff != "" {
				t.Errorf("patches of the status (-want +got):\n%s", diff)
			}
		})
	}
}
