package unstructured

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/conversion"
)

// hostile objects are large in one dimension each. They are converted or rejected in time and memory proportional to
// their size: this test would hang otherwise. No time is asserted.
func hostile() map[string]string {
	times := func(format string) string {
		parts := make([]string, 10_000)
		for i := range parts {
			parts[i] = strings.ReplaceAll(format, "%d", fmt.Sprint(i))
		}
		return strings.Join(parts, ",")
	}
	deep := strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000)
	return map[string]string{
		"many labels":                `{"metadata":{"name":"a","labels":{` + times(`"l%d":"x"`) + `}}}`,
		"one label many times":       `{"metadata":{"name":"a","labels":{` + times(`"l":"%d"`) + `}}}`,
		"many members":               `{"metadata":{"name":"a"},` + times(`"m%d":1`) + `}`,
		"many finalizers":            `{"metadata":{"finalizers":[` + times(`"f%d"`) + `]}}`,
		"many owners":                `{"metadata":{"ownerReferences":[` + times(`{"uid":"%d"}`) + `]}}`,
		"many owners without a name": `{"metadata":{"ownerReferences":[` + times(`{"n":%d}`) + `]}}`,
		"many requests":              `{"spec":{"devices":{"requests":[` + times(`{"name":"%d"}`) + `]}}}`,
		"many requests of one name":  `{"spec":{"devices":{"requests":[` + times(`{"name":"r","count":%d}`) + `]}}}`,
		"many entries": `{"spec":{"devices":{"config":[` + times(`{"opaque":{"parameters":{"n":%d}}}`) +
			`]}}}`,
		"many entries that are equal": `{"spec":{"devices":{"config":[` + times(`{}`) + `]}}}`,
		"many devices": `{"spec":{"devices":[` +
			times(`{"name":"%d","basic":{"attributes":{"a":{"int":%d}}}}`) + `]}}`,
		"a request of many members": `{"spec":{"devices":{"requests":[{` + times(`"m%d":1`) + `}]}}}`,
		"many conditions":           `{"status":{"devices":[{"conditions":[` + times(`{"type":"%d"}`) + `]}]}}`,
		"many consumers":            `{"status":{"reservedFor":[` + times(`{"uid":"%d"}`) + `]}}`,
		"deep parameters":           `{"spec":{"devices":{"config":[{"opaque":{"parameters":` + deep + `}}]}}}`,
		"deep where nobody looks":   `{"zz":` + deep + `}`,
		"too deep for any JSON":     `{"spec":` + strings.Repeat(`[`, 20_000),
		"a great number":            `{"spec":{"devices":{"config":[{"opaque":{"parameters":{"n":1e99999999999}}}]}}}`,
		"a great quantity": `{"spec":{"devices":[{"name":"d",` +
			`"basic":{"capacity":{"m":{"value":"1e-9999999"}}}}]}}`,
	}
}

func TestHostileObjects(t *testing.T) {
	for name, object := range hostile() {
		t.Run(name, func(t *testing.T) {
			for _, version := range otherVersions {
				for _, kind := range kindsOf(version) {
					c := clientOf(version, kind)
					read := c.read
					if isProjection(version) {
						read = func(object []byte) ([]byte, error) { return convertUntyped(object, kind, version) }
					}
					for name, convert := range map[string]func([]byte) ([]byte, error){"read": read, "write": c.write} {
						// An error has a reason, such as too many items for any release.
						if got, err := convert([]byte(object)); err == nil && !json.Valid(got) {
							t.Errorf("%s of %s %s: not JSON: %s", name, version, kind, clip(got))
						}
					}
				}
			}
		})
	}
}

// convertUntyped converts an object of v1 that has neither an apiVersion nor a kind, as the conversion webhook does.
func convertUntyped(object []byte, kind, version string) ([]byte, error) {
	typed := append([]byte(`{"apiVersion":"resource.k8s.io/v1","kind":"`+kind+`",`), object[1:]...)
	converted, _, err := conversion.ConvertJSON(typed, version, conversion.Options{})
	return converted, err
}
