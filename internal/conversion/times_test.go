package conversion

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Times of the first and the last year, and the zero time, round-trip through every version. A time that has no text in
// UTC, or is invalid, is rejected with its field.
func TestTimesOfAStatusRoundTrip(t *testing.T) {
	claim := func(format, text string) string {
		return `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a","uid":"u"},` +
			`"spec":{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"c",` +
			`"allocationMode":"ExactCount","count":1}}]}},"status":{"allocation":{"devices":{"results":[` +
			`{"request":"gpu","driver":"d","pool":"p","device":"a"}]}` + fmt.Sprintf(format, text) + `}}`
	}
	for field, format := range map[string]string{
		"status.allocation.allocationTimestamp": `,"allocationTimestamp":%s}`,
		"status.devices[0].conditions[0].lastTransitionTime": `},"devices":[{"driver":"d","pool":"p","device":"a",` +
			`"conditions":[{"type":"A","status":"True","lastTransitionTime":%s,"reason":"R","message":""}]}]`,
	} {
		for text, back := range map[string]string{
			`"2026-01-31T12:00:00Z"`:      "",
			`"0000-01-01T00:00:00Z"`:      "",
			`"0001-01-01T00:00:00Z"`:      "",
			`"9999-12-31T23:59:59.5Z"`:    "",
			`"0001-01-01T00:30:00+00:30"`: `"0001-01-01T00:00:00Z"`, // in the classic versions with its original text
			`"0000-01-01T00:00:00+01:00"`: "whose year in UTC is",
			`"9999-12-31T23:59:59-01:00"`: "whose year in UTC is",
			`"31.1.2026"`:                 "must be a time as RFC 3339 has it",
			`5`:                           "must be a time as RFC 3339 has it",
		} {
			object := claim(format, text)
			for _, version := range slices.DeleteFunc(Versions(), isStored) {
				output, _, err := ConvertJSON([]byte(object), version, Options{Strict: true})
				if strings.Contains(back, " ") {
					var e *Error
					if !errors.As(err, &e) || e.Field != field || !strings.Contains(e.Error(), back) {
						t.Errorf("%s: %s, to %s: %v", field, text, version, err)
					}
					continue
				}
				if err != nil {
					t.Fatalf("%s: %s, to %s: %v", field, text, version, err)
				}
				want := object
				if back != "" && slices.Contains(Versions()[3:], version) {
					want = claim(format, back)
				}
				if got, _ := converted(t, output, Stored(), Options{Strict: true}); string(got) != want {
					t.Errorf("%s: %s, through %s: came back as %s", field, text, version, got)
				}
			}
		}
	}
}

func isStored(version string) bool { return version == Stored() }
