package api_test

import (
	"cmp"
	"encoding/json"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// Decoding and encoding only adds "metadata": {} and "spec": {}, as upstream's types do, and only drops optional fields
// that are null, empty or zero.
func TestAbsentFieldsStayAbsent(t *testing.T) {
	for name, test := range objects.Cases[struct {
		Version, Kind string
		In, Want      objects.JSON
	}](t, "testdata/absent.yaml") {
		t.Run(name, func(t *testing.T) {
			into := api.New(test.Version, cmp.Or(test.Kind, api.KindClaim))
			if into == nil {
				into = api.NewList(test.Version, api.KindClaim)
			}
			decodeInto(t, string(test.In), into)
			got := must.Get(json.Marshal(into))(t)
			want := cmp.Or(test.Want, test.In)
			canonical := func(text []byte) string { return string(objectjson.CanonicalWithDigits(text)) }
			if diff := gocmp.Diff(canonical([]byte(want)), canonical(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
