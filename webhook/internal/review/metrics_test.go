package review

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/reviews"
)

// TestClientsCannotCreateSeries sends a thousand requests that differ in everything that a client can choose.
func TestClientsCannotCreateSeries(t *testing.T) {
	s := newServer(t, Options{Groups: []string{"*"}})
	send := func(i int) {
		version := fmt.Sprintf("v%dgamma%d", i, i)
		object := strings.NewReplacer("v1alpha2", version, "resource.k8s.io", fmt.Sprintf("g%d.example.com", i),
			"ResourceClaim", fmt.Sprintf("Kind%d", i)).Replace(reviews.ClaimV1alpha2)
		serve(s, reviews.NewRequest("/convert", reviews.Conversion(fmt.Sprintf("g%d.example.com/v%dgamma", i, i), object)))
		serve(s, reviews.NewRequest("/convert", reviews.Conversion(fmt.Sprintf("g%d.example.com/v1alpha3", i), object)))
		serve(s, reviews.NewRequest("/convert?timeout="+fmt.Sprint(i), "{}"))
		serve(s, reviews.NewRequest("/convert", fmt.Sprintf(`{"kind":"Kind%d","apiVersion":"v%d"}`, i, i)))
		admission := strings.NewReplacer("v1alpha2", version, "CREATE",
			fmt.Sprintf("OPERATION%d", i)).Replace(reviews.Admission("CREATE",
			"", reviews.ClaimV1alpha2, "null"))
		serve(s, reviews.NewRequest("/validate", admission))
		serve(s,
			reviews.NewRequest("/validate",
				reviews.Admission("UPDATE", fmt.Sprintf("sub%d", i), reviews.ClaimV1alpha2, reviews.ClaimV1alpha2)))
		serve(s, reviews.NewRequest(fmt.Sprintf("/path%d", i), "{}"))
		strange := reviews.NewRequest("/convert", "{}")
		strange.Method = fmt.Sprintf("METHOD%d", i)
		serve(s, strange)
		odd := reviews.NewRequest("/convert", "{}")
		odd.Header.Set("User-Agent", fmt.Sprintf("agent%d", i))
		odd.Header.Set("Content-Type", fmt.Sprintf("text/type%d", i))
		serve(s, odd)
	}
	send(0)
	few := len(gather(t, s))
	for i := range 1000 {
		send(i)
	}
	values := gather(t, s)
	if len(values) != few {
		t.Errorf("%d series after the first request, %d after a thousand", few, len(values))
	}
	for name := range values {
		if strings.Contains(name, "999") {
			t.Errorf("a caller chose a label: %s", name)
		}
	}
	if got := values["claimbridge_conversions_total{from=other,result=failed,to=v1alpha3}"]; got != 1001 {
		t.Errorf("%v conversions from other versions, want 1001", got)
	}
}

func TestEveryWarningOfAConversionIsCounted(t *testing.T) {
	s := newServer(t, Options{})
	s.converter.convert = func(out, _ []byte, _ string, _ conversion.Options) ([]byte, conversion.Report, error) {
		return append(out, "{}"...), conversion.Report{
			Group: "resource.k8s.io", Version: "v1alpha2",
			Unknown:    []string{"a", "b"},
			Ignored:    []string{"c"},
			Stale:      []string{"s", "t"},
			Lost:       []string{"d"},
			Incomplete: "both",
			Preserved:  []string{"e"},
		}, nil
	}
	response := serve(s,
		reviews.NewRequest("/convert", reviews.Conversion("resource.k8s.io/v1alpha3", reviews.ClaimV1alpha2)))
	if response.Code != http.StatusOK {
		t.Fatal(response.Code)
	}
	counts(t, s, map[string]float64{
		"conversion_unknown_fields_total{from=v1alpha2,to=v1alpha3}":       2,
		"conversion_leftovers_ignored_total{from=v1alpha2,to=v1alpha3}":    1,
		"conversion_leftovers_stale_total{from=v1alpha2,to=v1alpha3}":      2,
		"conversion_lost_fields_total{from=v1alpha2,to=v1alpha3}":          1,
		"conversion_incomplete_total{from=v1alpha2,part=both,to=v1alpha3}": 1,
	})
}
