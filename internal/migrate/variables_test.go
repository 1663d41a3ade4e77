package migrate

import (
	"testing"

	"github.com/claimbridge/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/internal/variables"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

func TestErrorNamesTheVariableWithoutAField(t *testing.T) {
	const count = "spec.devices.requests[0].count"
	o := &claimConversion{
		location: location{document: &yamldoc.Document{}},
		converted: []byte(`{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","spec":{"devices":{"requests":[` +
			`{"name":"a","exactly":{"deviceClassName":"c","count":2}}]}}}`),
		variables: []variables.TypedValue{
			{Path: count, Text: []byte(`"${COUNT}"`)},
			{Path: deallocationRequested, Text: []byte(`"${DEALLOCATE}"`)},
		},
	}
	failure := New(Options{To: release.Target{Version: "v1"}}).restoreVariables(o)
	if failure == nil {
		t.Fatalf("got no error about %s, which v1 does not have", deallocationRequested)
	}
	if failure.Field != deallocationRequested {
		t.Errorf("got an error about %s, want %s: %s exists in v1", failure.Field, deallocationRequested, count)
	}
}
