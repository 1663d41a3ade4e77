package batch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/findings"
)

// TestFirstWarningsArePrinted checks that the first warnings of a rule are printed and the others are counted, for any
// number of parts.
func TestFirstWarningsArePrinted(t *testing.T) {
	var b strings.Builder
	for i := range 500 {
		fmt.Fprintf(&b,
			`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"c-%d"},`+
				`"spec":{"resourceClassName":"x","parametersRef":{"kind":"K","name":"n"}}}`+"\n",
			i)
		fmt.Fprintf(&b,
			`{"apiVersion":"claims.example.com/v1alpha2","kind":"ResourceClaim","metadata":{"name":"o-%d"}}`+"\n", i)
		if i%100 == 50 { // errors are not limited, and keep their position
			b.WriteString(`{"kind":"none"}` + "\n")
		}
	}
	for _, size := range []int{1, 3000, 1 << 20} {
		_, messages, failed := converted(t, b.String(), "json", true, size)
		var parameters, group, errs []string
		for _, line := range lines(messages) {
			switch {
			case strings.Contains(line, ": warning: parametersRef"):
				parameters = append(parameters, line)
			case strings.Contains(line, ": warning: is not converted: its group"):
				group = append(group, line)
			case strings.Contains(line, findings.ErrNoType.Error()+" (object-without-type)"):
				errs = append(errs, line)
			}
		}
		if len(parameters) != findings.MaxWarnings || len(group) != findings.MaxWarnings || len(errs) != 5 ||
			failed != 5 {
			t.Errorf("size %d: %d, %d warnings and %d of %d errors: %s", size, len(parameters), len(group), len(errs),
				failed, messages)
			continue
		}
		if !strings.Contains(parameters[9], "ResourceClaim c-9: ") ||
			!strings.Contains(group[9], "ResourceClaim o-9: ") {
			t.Errorf("size %d: the tenth warnings are %s and %s", size, parameters[9], group[9])
		}
		want := "warning: objects of other groups are not converted: 490 more\n" +
			"warning: objects keep a parametersRef that no driver reads: 490 more\n" +
			"note: claim-of-another-group: Add its group with --group, or correct the group.\n" +
			"note: parameters-are-not-read: Move the settings of the parameters to spec.devices, or spec.spec.devices of a " +
			"template: a count, selectors, and the configuration of the driver.\n" +
			"500 converted to v1alpha3, 0 unchanged, 500 of other kinds, 5 failed, 1000 warnings\n"
		if !strings.HasSuffix(messages, want) {
			t.Errorf("size %d: the last lines are not %s", size, want)
		}
	}
}
