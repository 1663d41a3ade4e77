package conversion

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// hostile objects are large in one dimension each. The time and memory to convert or reject them grow no faster than
// the object. Otherwise the fuzz targets and this test would hang. No time is asserted.
func hostile() map[string]string {
	times := func(n int, format string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = strings.ReplaceAll(format, "%d", fmt.Sprint(i))
		}
		return strings.Join(parts, ",")
	}
	many := func(format string) string { return times(20_000, format) }
	most := func(format string) string { return times(objectjson.MaxList, format) } // which rejects more
	claim := func(version, meta, rest string) string {
		return `{"apiVersion":"resource.k8s.io/` + version + `","kind":"ResourceClaim","metadata":{"name":"a"` + meta +
			`}` + rest + `}`
	}
	deep := strings.Repeat(`{"b":1,"a":`, 4000) + `"` + strings.Repeat("x", 100_000) + `"` + strings.Repeat("}", 4000)
	classic := `{"source":"FromClass","opaque":{"driver":"claimbridge.dev",` +
		`"parameters":{"apiVersion":"claimbridge.dev/v1","kind":"ClassicAllocation","digest":"%d"}}}`
	return map[string]string{
		"many annotations": claim("v1alpha3", `,"annotations":{`+many(`"claimbridge.dev/v1-spec%d":"x"`)+`}`, ""),
		"many members":     claim("v1alpha3", "", `,`+times(objectjson.MaxMembers-5, `"m%d":1`)),
		"many results": claim("v1alpha3", "",
			`,"status":{"allocation":{"devices":{"results":[`+
				most(`{"request":"r","driver":"d","pool":"p%d","device":"x"}`)+`]}}}`),
		"many entries": claim("v1alpha3", "",
			`,"status":{"allocation":{"devices":{"config":[`+
				most(`{"source":"FromClaim","opaque":{"driver":"d%d","parameters":{"n":%d}}}`)+`]}}}`),
		"many entries of claimbridge": claim("v1alpha3", "",
			`,"status":{"allocation":{"devices":{"config":[`+most(classic)+`]}}}`),
		"many handles": claim("v1alpha2", "",
			`,"spec":{"resourceClassName":"c"},"status":{"allocation":{"resourceHandles":[`+
				most(`{"driverName":"d","data":"%d"}`)+`]}}`),
		"many named resources": claim("v1alpha2", "",
			`,"spec":{"resourceClassName":"c"},"status":{"allocation":{"resourceHandles":[{"driverName":"d",`+
				`"structuredData":{"results":[`+
				many(`{"vendorRequestParameters":{"n":%d},"namedResources":{"name":"n%d"}}`)+`]}}]}}`),
		"many steps": claim("v1alpha2", "",
			`,"spec":{"resourceClassName":"c"},"status":{"driverName":"d","allocation":{},"claimbridgeLeftover":"{`+
				strings.ReplaceAll(many(`"s%d":{"digest":"","value":{}}`),
					`"`, `\"`)+`}"}`),
		"deep parameters": claim("v1alpha2", "",
			`,"spec":{"resourceClassName":"c"},"status":{"allocation":{"resourceHandles":[{"driverName":"d",`+
				`"structuredData":{"vendorClassParameters":`+deep+`}}]}}`),
		"too deep for any JSON": claim("v1alpha2", "", `,"spec":`+strings.Repeat(`[`, 20_000)),
		"many spec entries":     claim("v1alpha3", "", `,"spec":{"devices":{"config":[`+most(classicEntry)+`]}}`),
	}
}

func TestHostileObjects(t *testing.T) {
	for name, object := range hostile() {
		t.Run(name, func(t *testing.T) {
			for _, to := range Versions() {
				out, _, err := ConvertJSON([]byte(object), to, Options{})
				if err != nil {
					if name != "too deep for any JSON" && !errors.Is(err, ErrIncomplete) {
						t.Errorf("to %s: %.200v", to, err)
					}
					continue
				}
				if _, _, err := ConvertJSON(out, Stored(), Options{}); err != nil && !errors.Is(err, ErrIncomplete) {
					t.Errorf("back from %s: %.200v", to, err)
				}
				if _, err := inspect(out); err != nil {
					t.Errorf("%.200v", err)
				}
			}
			_, err := Explain([]byte(object), "v1alpha2")
			if err != nil && !errors.Is(err, ErrIncomplete) && name != "too deep for any JSON" {
				t.Error(err)
			}
		})
	}
}
