package hub

import (
	"encoding/json"
	"testing"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestV1beta1SpecToV1alpha3(t *testing.T) {
	checkCases(t, "testdata/v1_to_v1alpha3_specs.yaml", v1beta1SpecToV1alpha3, v1alpha3SpecToV1beta1)
}

func TestV1StatusToV1alpha3(t *testing.T) {
	down := func(in *v1.ResourceClaimStatus, _ Options) *v1alpha3.ResourceClaimStatus {
		return v1StatusToV1alpha3(in)
	}
	checkCases(t, "testdata/v1_to_v1alpha3_statuses.yaml", down, v1alpha3StatusToV1)
}

// checkCases checks each case of a file: its projection in v1alpha3, and whether the reverse conversion returns all of
// it.
func checkCases[New, Old any](
	t *testing.T, file string, down func(*New, Options) *Old, up func(*Old, Options) *New,
) {
	for name, test := range objects.Cases[struct {
		New New
		Old Old
		All bool
	}](t, file) {
		t.Run(name, func(t *testing.T) {
			before := text(t, test.New)
			old := down(&test.New, Options{IsFragment: true})
			if got, want := text(t, old), text(t, test.Old); got != want {
				t.Errorf("got\n%s, want\n%s", got, want)
			}
			if got := text(t, up(old, Options{IsFragment: true})); (got == before) != test.All {
				t.Errorf("the round trip returned\n%s, of\n%s", got, before)
			}
			if after := text(t, test.New); after != before {
				t.Errorf("the input was modified: %s", after)
			}
		})
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	out := must.Get(json.Marshal(v))(t)
	return string(out)
}
