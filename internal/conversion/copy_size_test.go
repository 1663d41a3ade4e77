package conversion

import (
	"fmt"
	"strings"
	"testing"
)

// maxCopy returns the maximum size of a copy of a stored size: the visible data, and the status twice more, in which a
// quote takes two bytes.
func maxCopy(stored int) int { return 34*stored/10 + slack }

// TestCopySizeIsLimited checks the largest valid claims, with long and short texts.
func TestCopySizeIsLimited(t *testing.T) {
	times := func(n int, item string) string {
		return strings.TrimSuffix(strings.Repeat(item+",", n), ",")
	}
	long := strings.Repeat("d", 63) + "." + strings.Repeat("e", 63) + "/" + strings.Repeat("k", 63)
	for name, result := range map[string]string{
		"long tolerations": `"tolerations":[` + times(16,
			`{"key":"`+long+`","operator":"Equal","value":"`+strings.Repeat("v", 63)+`","effect":"None"}`) + `]`,
		"short tolerations": `"tolerations":[` + times(16,
			`{"operator":"Exists"}`) + `],"bindingConditions":["a"],"bindingFailureConditions":["b"]`,
		"capacity": `"tolerations":[{"key":"a","operator":"Exists","effect":"None"}],` +
			`"consumedCapacity":{"a":"1","b":"1","c":"1","d":"1"}`,
	} {
		var results []string
		for i := range 32 {
			results = append(results,
				fmt.Sprintf(`{"request":"gpu","driver":"d","pool":"p/q","device":"d%d",%s}`, i, result))
		}
		stored := `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a","uid":"u"},` +
			`"spec":{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"c",` +
			`"allocationMode":"ExactCount","count":1}}]}},` +
			`"status":{"allocation":{"devices":{"results":[` + strings.Join(results, ",") + `]}}}}`
		for _, version := range Versions() {
			copied, _ := converted(t, []byte(stored), version, Options{})
			if len(copied) > maxCopy(len(stored)) {
				t.Errorf("%s: the copy in %s has %d bytes, what is stored has %d", name, version, len(copied),
					len(stored))
			}
			back, report := converted(t, copied, Stored(), Options{})
			if string(back) != stored || len(report.Ignored) > 0 {
				t.Errorf("%s: through %s came back as %.300s", name, version, back)
			}
		}
	}
}
