package conversion

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A file may hold more than its version takes. What would not come back is refused before it is lost, and by its field.
func TestMoreHandlesThanThereMayBeAreRefused(t *testing.T) {
	claim := func(version, allocation string) string {
		return `{"apiVersion":"resource.k8s.io/` + version + `","kind":"ResourceClaim","metadata":{"name":"a","uid":"u"},` +
			`"spec":{"resourceClassName":"c"},"status":{"driverName":"d","allocation":{` + allocation + `,"shareable":true}}}`
	}
	handles := func(n int, format string) string {
		items := make([]string, n)
		for i := range items {
			items[i] = strings.ReplaceAll(format, "%d", fmt.Sprint(i))
		}
		return claim("v1alpha2", `"resourceHandles":[`+strings.Join(items, ",")+`]`)
	}
	const structured = `{"driverName":"d","structuredData":{"nodeName":"n%d","results":[{"namedResources":{"name":"g"}}]}}`
	data := func(n int) string { return `{"driverName":"d","data":"` + strings.Repeat("x", n) + `"}` }
	for name, test := range map[string]struct{ object, field, why string }{
		"as many as there may be":        {handles(32, `{"driverName":"d%d","data":"x"}`), "", ""},
		"one more":                       {handles(33, `{"driverName":"d%d","data":"x"}`), "status.allocation.resourceHandles", "has 33 handles, and no version takes more than 32"},
		"one more, structured":           {handles(33, structured), "status.allocation.resourceHandles", "has 33 handles"},
		"as long as there may be":        {handles(1, data(16384)), "", ""},
		"a byte more":                    {handles(2, data(16385)), "status.allocation.resourceHandles[0].data", "has 16385 bytes, and no version takes more than 16384"},
		"as long as v1alpha1 may have":   {claim("v1alpha1", `"resourceHandle":"`+strings.Repeat("x", 16384)+`"`), "", ""},
		"a byte more than v1alpha1 may":  {claim("v1alpha1", `"resourceHandle":"`+strings.Repeat("x", 16385)+`"`), "status.allocation.resourceHandle", "has 16385 bytes"},
		"a byte more, in several of one": {handles(1, strings.Replace(data(16384), "x", "é", 1)), "status.allocation.resourceHandles[0].data", "has 16385 bytes"},
	} {
		h, _ := ReadHeader([]byte(test.object))
		for _, version := range Versions() {
			if version == h.Version {
				continue
			}
			o := Options{Strict: true, AnnotationsOnly: true, OmitDefaults: true}
			there, _, err := JSON([]byte(test.object), version, o)
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
			if back, report := converted(t, there, h.Version, o); string(back) != test.object || len(report.Ignored)+len(report.Stale) > 0 {
				t.Errorf("%s, through %s: came back as %.300s, %+v", name, version, back, report)
			}
		}
	}
}
