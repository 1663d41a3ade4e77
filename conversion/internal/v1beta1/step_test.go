package v1beta1

import (
	"encoding/json"
	"testing"

	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestSpecsGoDownByTheTable(t *testing.T) { goesDown(t, "testdata/specs.yaml", downSpec, upSpec) }

func TestStatusesGoDownByTheTable(t *testing.T) {
	goesDown(t, "testdata/statuses.yaml", downStatus, upStatus)
}

// goesDown is what each row of a table says of the newer side, and whether all of it comes back.
func goesDown[New, Old any](t *testing.T, file string, down func(*New, chain.Form) *Old,
	up func(*Old, chain.Form) *New,
) {
	for name, test := range objects.Cases[struct {
		New New
		Old Old
		All bool
	}](t, file) {
		t.Run(name, func(t *testing.T) {
			before := text(t, test.New)
			old := down(&test.New, chain.Form{})
			if got, want := text(t, old), text(t, test.Old); got != want {
				t.Errorf("it becomes\n%s, not\n%s", got, want)
			}
			if got := text(t, up(old, chain.Form{})); (got == before) != test.All {
				t.Errorf("back is\n%s, of\n%s", got, before)
			}
			if after := text(t, test.New); after != before {
				t.Errorf("what was given was changed: %s", after)
			}
		})
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	out := must.Get(json.Marshal(v))(t)
	return string(out)
}
