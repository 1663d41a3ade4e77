package conversion

import (
	"fmt"
	"strings"
	"testing"
)

// mostOfACopy is how many bytes a copy of so many stored ones may have. A byte of a result can be left over by two steps (v1alpha3 has
// fewer fields, v1alpha2 others), of each in the field and in the annotation, and take two bytes there when it is a quote or a
// backslash. All else of a status is left over by one step; of a spec there is no field. Annotations have 256 KiB at most, twice
// that when all of it is quotes; what is visible is there once more.
func mostOfACopy(stored int) int {
	const annotations = 2 * 256 << 10
	return min(2*2*2*stored, 2*2*stored+stored+annotations) + slack
}

// TestResultsAreTheWorstOfACopy builds what a valid claim can hold at most of it, in long words and in short ones.
func TestResultsAreTheWorstOfACopy(t *testing.T) {
	times := func(n int, item string) string {
		return strings.TrimSuffix(strings.Repeat(item+",", n), ",")
	}
	long := strings.Repeat("d", 63) + "." + strings.Repeat("e", 63) + "/" + strings.Repeat("k", 63)
	for name, result := range map[string]string{
		"long tolerations":  `"tolerations":[` + times(16, `{"key":"`+long+`","operator":"Equal","value":"`+strings.Repeat("v", 63)+`","effect":"None"}`) + `]`,
		"short tolerations": `"tolerations":[` + times(16, `{"operator":"Exists"}`) + `],"bindingConditions":["a"],"bindingFailureConditions":["b"]`,
		"capacity":          `"tolerations":[{"key":"a","operator":"Exists","effect":"None"}],"consumedCapacity":{"a":"1","b":"1","c":"1","d":"1"}`,
	} {
		var results []string
		for i := range 32 {
			results = append(results, fmt.Sprintf(`{"request":"gpu","driver":"d","pool":"p/q","device":"d%d",%s}`, i, result))
		}
		stored := `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a","uid":"u"},` +
			`"spec":{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"c","allocationMode":"ExactCount","count":1}}]}},` +
			`"status":{"allocation":{"devices":{"results":[` + strings.Join(results, ",") + `]}}}}`
		greatest := 0
		for _, version := range Versions() {
			copied, _ := converted(t, []byte(stored), version, Options{})
			greatest = max(greatest, len(copied))
			if len(copied) > mostOfACopy(len(stored)) {
				t.Errorf("%s: the copy in %s has %d bytes, what is stored has %d", name, version, len(copied), len(stored))
			}
			if back, report := converted(t, copied, Newest(), Options{}); string(back) != stored || len(report.Ignored) > 0 {
				t.Errorf("%s: through %s came back as %.300s", name, version, back)
			}
		}
		if name == "short tolerations" && greatest <= 4*len(stored) {
			t.Errorf("%s: a copy has %d bytes of %d, so the bound may be less than the page says", name, greatest, len(stored))
		}
	}
}
