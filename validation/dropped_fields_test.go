package validation

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/test/objects"
)

func TestDroppedFields(t *testing.T) {
	for name, test := range objects.Cases[struct {
		Release           string
		Operation         Operation
		Object, OldObject objects.JSON
		Want              []Dropped
	}](t, "testdata/dropped.yaml") {
		got, err := DroppedFields(Request{
			Operation: test.Operation, Object: []byte(test.Object), OldObject: []byte(test.OldObject),
			Release: test.Release,
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(test.Want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}
