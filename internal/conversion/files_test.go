package conversion

import (
	"bytes"
	"maps"
	"testing"

	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// A converted file has no values that its author didn't write, and the reverse conversion restores the file.
func TestDefaultsAreNotWritten(t *testing.T) {
	o := Options{Strict: true, Manifest: true, OmitDefaults: true}
	for name, test := range objects.Cases[struct {
		From, To      string
		Before, After objects.JSON
	}](t, "testdata/cases/files.yaml") {
		t.Run(name, func(t *testing.T) {
			original, want := claimOf(test.From, `{"spec":`+test.Before+`}`), claimOf(test.To, `{"spec":`+test.After+`}`)
			output, _ := converted(t, original, test.To, o)
			same(t, output, want)
			back, _ := converted(t, output, test.From, o)
			same(t, back, original)
		})
	}
}

// Preserved data in an annotation has no defaults either.
func TestPreservedDataHasNoDefaults(t *testing.T) {
	const original = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"},` +
		`"spec":{"devices":{"requests":[` +
		`{"name":"one","exactly":{"deviceClassName":"c"}},{"name":"two","exactly":{"deviceClassName":"d","count":1,` +
		`"capacity":{"requests":{"m":"1Gi"}}}},` +
		`{"name":"three","firstAvailable":[{"name":"big","deviceClassName":"c"}]}]}}}`
	o := Options{Strict: true, Manifest: true, OmitDefaults: true}
	for _, version := range Versions() {
		output, _ := must.Get2(ConvertJSON([]byte(original), version, o))(t)
		back, _ := must.Get2(ConvertJSON(output, "v1", o))(t)
		if string(back) != original {
			t.Errorf("through %s\n got %s\nwant %s\n via %s", version, back, original, output)
		}
		// An API server sets defaults, and the preserved data is still used.
		stored, report, err := ConvertJSON(completed(t, output), "v1", Options{Strict: true})
		if err != nil || len(report.Ignored)+len(report.Stale) > 0 {
			t.Fatalf("%v, ignored %q, stale %q", err, report.Ignored, report.Stale)
		}
		if want := completed(t, []byte(original)); !Equal(want, completed(t, stored)) {
			t.Errorf("through %s and an API server\n got %s\nwant %s", version, stored, want)
		}
	}
}

// completed returns an object with the defaults of its version, as an API server stores it.
func completed(t *testing.T, object []byte) []byte {
	t.Helper()
	return encode(withDefaults(decodeTyped(t, object)))
}

// manifestsGainNoFields checks that a round trip adds nothing to a file, and that an API server stores the converted
// file like the original.
func manifestsGainNoFields(c *propertyCase) {
	o := Options{Strict: true, Manifest: true, OmitDefaults: true}
	original := c.withoutPreservedData(c.object)
	output, report := converted(c.T, original, c.to, o)
	if report.Incomplete != "" || len(report.Lost) > 0 {
		return // the object is not restored completely, which other tests check
	}
	back, _ := converted(c.T, output, c.from, o)
	for path := range addedPaths(original, back) {
		c.Errorf("the round trip added %s:\n%s\n%s\n%s", path, clip(original), clip(output), clip(back))
	}
	want, _ := converted(c.T, original, Stored(), Options{})
	if c.IntN(2) == 0 && !bytes.HasSuffix(output, []byte(`"status":{}}`)) { // which types omit
		output = completed(c.T, output)
	}
	if got, _ := converted(c.T, output, Stored(), Options{}); !Equal(completed(c.T, want), completed(c.T, got)) {
		c.Errorf("an API server stores another object:\n got %s\nwant %s\n via %s", clip(got), clip(want), clip(output))
	}
}

// addedPaths returns the paths of an object that the object did not have before.
func addedPaths(before, after []byte) map[string]bool {
	pathsBefore, added := pathsOf(before), pathsOf(after)
	maps.DeleteFunc(added, func(path string, _ bool) bool { return pathsBefore[path] })
	return added
}
