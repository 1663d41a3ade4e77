package main

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/caller"
)

func TestWhatTheClusterIsAsked(t *testing.T) {
	tests := map[string]struct {
		mode      caller.Mode
		verb      string
		may       []string // names; "" is all of them
		asked     []string
		isAllowed bool
	}{
		"who may read all is asked about once":         {caller.Constrained, "get", []string{""}, []string{""}, true},
		"who may read one is asked about that":         {caller.Constrained, "get", []string{"a"}, []string{"", "a"}, true},
		"who may read another may not":                 {caller.Constrained, "get", []string{"b"}, []string{"", "a"}, false},
		"who may write all is asked about once":        {caller.Constrained, "update", []string{""}, []string{""}, true},
		"who may patch one is asked about that":        {caller.Legacy, "patch", []string{"a"}, []string{"", "a"}, true},
		"who may delete another may not":               {caller.Legacy, "delete", []string{"b"}, []string{"", "a"}, false},
		"a read with own rights is of the very object": {caller.Nobody, "get", []string{""}, []string{"a"}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var asked []string
			cluster := authorizer.AuthorizerFunc(func(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
				asked = append(asked, a.GetName())
				for _, name := range test.may {
					if name == a.GetName() {
						return authorizer.DecisionAllow, "", nil
					}
				}
				return authorizer.DecisionNoOpinion, "", nil
			})
			o := &options{actAs: string(test.mode)}
			decision, _, err := o.perName(cluster).Authorize(t.Context(), authorizer.AttributesRecord{Verb: test.verb, Name: "a", ResourceRequest: true})
			if err != nil || (decision == authorizer.DecisionAllow) != test.isAllowed {
				t.Errorf("decision %v, error %v", decision, err)
			}
			if diff := cmp.Diff(test.asked, asked); diff != "" {
				t.Errorf("questions (-want +got):\n%s", diff)
			}
		})
	}
}

// A cluster that does not answer is not asked twice, and its silence is no permission.
func TestAClusterThatDoesNotAnswerIsAskedOnce(t *testing.T) {
	silent, asked := errors.New("no answer"), 0
	o := &options{actAs: string(caller.Constrained)}
	decision, _, err := o.perName(authorizer.AuthorizerFunc(func(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
		asked++
		return authorizer.DecisionNoOpinion, "", silent
	})).Authorize(t.Context(), authorizer.AttributesRecord{Verb: "get", Name: "a", ResourceRequest: true})
	if decision == authorizer.DecisionAllow || !errors.Is(err, silent) || asked != 1 {
		t.Errorf("decision %v, error %v, asked %d times", decision, err, asked)
	}
}
