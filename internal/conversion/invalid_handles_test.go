package conversion

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A file can have handles that its version does not accept. If they would not round-trip, the conversion rejects them
// and names the field.
func TestInvalidHandlesAreRejected(t *testing.T) {
	claim := func(version, allocation string) string {
		return `{"apiVersion":"resource.k8s.io/` + version +
			`","kind":"ResourceClaim","metadata":{"name":"a","uid":"u"},` +
			`"spec":{"resourceClassName":"c"},"status":{"driverName":"d","allocation":{` + allocation +
			`,"shareable":true}}}`
	}
	handles := func(n int, format string) string {
		items := make([]string, n)
		for i := range items {
			items[i] = strings.ReplaceAll(format, "%d", fmt.Sprint(i))
		}
		return claim("v1alpha2", `"resourceHandles":[`+strings.Join(items, ",")+`]`)
	}
	const structured = `{"driverName":"d","structuredData":{"nodeName":"n%d",` +
		`"results":[{"namedResources":{"name":"g"}}]}}`
	data := func(n int) string { return `{"driverName":"d","data":"` + strings.Repeat("x", n) + `"}` }
	for name, test := range map[string]struct{ object, field, why string }{
		"as many as there may be": {handles(32, `{"driverName":"d%d","data":"x"}`), "", ""},
		"one more": {
			handles(33, `{"driverName":"d%d","data":"x"}`),
			"status.allocation.resourceHandles",
			"has 33 handles, and every version allows at most 32",
		},
		"one more, structured": {
			handles(33, structured), "status.allocation.resourceHandles", "has 33 handles",
		},
		"as long as there may be": {handles(1, data(16384)), "", ""},
		"a byte more": {
			handles(2, data(16385)),
			"status.allocation.resourceHandles[0].data",
			"has 16385 bytes, and every version allows at most 16384",
		},
		"as long as v1alpha1 may have": {
			claim("v1alpha1", `"resourceHandle":"`+strings.Repeat("x", 16384)+`"`),
			"",
			"",
		},
		"a byte more than v1alpha1 may": {
			claim("v1alpha1", `"resourceHandle":"`+strings.Repeat("x", 16385)+`"`),
			"status.allocation.resourceHandle",
			"has 16385 bytes",
		},
		"both kinds of data": {
			handles(1, strings.Replace(structured, `"structuredData"`, `"data":"x","structuredData"`, 1)),
			"status.allocation.resourceHandles[0].data",
			"no version allows both",
		},
		"an invalid driver name": {
			handles(1, `{"driverName":"a_b","data":"x"}`),
			"status.allocation.resourceHandles[0].driverName",
			"is not a valid driver name",
		},
		"an invalid node name": {
			handles(1, strings.Replace(structured, "n%d", "A_B", 1)),
			"status.allocation.resourceHandles[0].structuredData.nodeName",
			"is not a DNS subdomain",
		},
		"an empty device name": {
			handles(1, strings.Replace(structured, `"name":"g"`, `"name":""`, 1)),
			"status.allocation.resourceHandles[0].structuredData.results",
			"without a valid device name",
		},
		"a multibyte character exceeds the limit": {
			handles(1, strings.Replace(data(16384), "x", "é", 1)),
			"status.allocation.resourceHandles[0].data",
			"has 16385 bytes",
		},
	} {
		h, _ := ReadHeader([]byte(test.object))
		for _, version := range Versions() {
			if version == h.Version {
				continue
			}
			o := Options{Strict: true, Manifest: true, OmitDefaults: true}
			output, _, err := ConvertJSON([]byte(test.object), version, o)
			if test.field != "" {
				var e *Error
				if !errors.As(err, &e) || e.Field != test.field || !strings.Contains(e.Error(), test.why) {
					t.Errorf("%s, to %s: %v", name, version, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s, to %s: %v", name, version, err)
			}
			back, report := converted(t, output, h.Version, o)
			if string(back) != test.object || len(report.Ignored)+len(report.Stale) > 0 {
				t.Errorf("%s, through %s: the round trip returned %.300s, %+v", name, version, back, report)
			}
		}
	}
}

// A server converts every stored object. It reports data that it cannot preserve, and all other data round-trips.
func TestDataThatCannotBePreservedIsReported(t *testing.T) {
	const structured = `"structuredData":{"nodeName":"n","results":[{"namedResources":{"name":"g"}}]}`
	claim := func(metadata, allocation string) []byte {
		return []byte(`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":` + metadata +
			`,"spec":{"resourceClassName":"c"},"status":{"driverName":"d","allocation":{` + allocation + `}}}`)
	}
	const named, unnamed = `{"name":"a","uid":"u"}`, `{}`
	for name, test := range map[string]struct {
		metadata, before, after string
		lost                    []string
	}{
		"both kinds of data": {
			named, `"resourceHandles":[{"driverName":"d","data":"D",` + structured + `}]`,
			`"resourceHandles":[{"driverName":"d",` + structured + `}]`,
			[]string{"status.allocation.resourceHandles[0].data"},
		},
		"shareable in a fragment": {unnamed, `"shareable":true`, ``, []string{"status.allocation.shareable"}},
		"shareable":               {named, `"shareable":true`, `"shareable":true`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			output, report := converted(t, claim(test.metadata, test.before), Stored(), Options{OmitDefaults: true})
			if !slices.Equal(report.Lost, test.lost) {
				t.Errorf("lost: %q, want %q", report.Lost, test.lost)
			}
			back, _ := converted(t, output, "v1alpha2", Options{Manifest: true, OmitDefaults: true})
			same(t, back, claim(test.metadata, test.after))
		})
	}
}
