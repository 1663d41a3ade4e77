package conversion

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Parts of steps that this chain does not have pass through the field on its way down, as many as a chain can have. What is
// no field of ours stays as it is. Neither is written back.
func TestFieldBoundsItsSteps(t *testing.T) {
	for _, steps := range []int{leftover.MaxSteps, leftover.MaxSteps + 1} {
		for spelling, after := range map[string]string{"as it is written here": `":`, "with white space": `" : `, "in escapes": `\u0030":`} {
			t.Run(fmt.Sprintf("%d %s", steps, spelling), func(t *testing.T) {
				var parts []string
				for i := range steps {
					parts = append(parts, fmt.Sprintf(`"step-%02d%s{"digest":"d","value":{"n":%d}}`, i, after, i))
				}
				field := "{" + strings.Join(parts, ",") + "}"
				object := `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"resourceClassName":"c"},` +
					`"status":{"driverName":"d.example.com","allocation":{},"claimbridgeLeftover":` + string(kjson.Quote(field)) + `}}`
				// No step consumes the parts; those of a chain that is longer may.
				out, report, err := JSON([]byte(object), "v1alpha1", Options{})
				if err != nil {
					t.Fatal(err)
				}
				ignored := slices.Contains(report.Ignored, leftover.FieldPath+": is malformed")
				if ignored != (steps > leftover.MaxSteps) {
					t.Errorf("ignored: %q", report.Ignored)
				}
				if down := leftoverOf(t, out); ignored && down != field || !strings.Contains(down, "step-00") {
					t.Errorf("the field became %.200s", down)
				}
				for _, copied := range [][]byte{[]byte(object), out} {
					if _, _, err := JSON(copied, Newest(), Options{}); !errors.Is(err, ErrIncomplete) {
						t.Errorf("%d steps are written back: %v", steps, err)
					}
				}
			})
		}
	}
}

func leftoverOf(t *testing.T, object []byte) string {
	t.Helper()
	switch o := typed(t, object).(type) {
	case *v1alpha1.ResourceClaim:
		return o.Status.ClaimbridgeLeftover
	case *v1alpha2.ResourceClaim:
		return o.Status.ClaimbridgeLeftover
	}
	t.Fatalf("no such field in %.200s", object)
	return ""
}
