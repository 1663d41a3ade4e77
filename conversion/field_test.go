package conversion

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Parts of steps that this chain does not have pass through the field, as many as a chain can have; with more it is none of
// ours.
func TestFieldBoundsItsSteps(t *testing.T) {
	for _, steps := range []int{maxSteps, maxSteps + 1} {
		for spelling, colon := range map[string]string{"as it is written here": `:`, "with white space": ` : `} {
			t.Run(fmt.Sprintf("%d %s", steps, spelling), func(t *testing.T) {
				var parts []string
				for i := range steps {
					parts = append(parts, fmt.Sprintf(`"step-%02d"%s{"digest":"d","value":{"n":%d}}`, i, colon, i))
				}
				field := "{" + strings.Join(parts, ",") + "}"
				object := `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"resourceClassName":"c"},` +
					`"status":{"driverName":"d.example.com","allocation":{},"claimbridgeLeftover":` + string(quote(field)) + `}}`
				out, report, err := JSON([]byte(object), "v1alpha1", Options{})
				if err != nil {
					t.Fatal(err)
				}
				ignored := slices.Contains(report.Ignored, leftoverField+": is malformed")
				if passed := strings.Contains(string(out), `step-00`); passed == ignored || passed != (steps <= maxSteps) {
					t.Errorf("passed: %t, ignored: %q", passed, report.Ignored)
				}
			})
		}
	}
}
