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
		From, To string
		Was, Is  objects.JSON
	}](t, "testdata/cases/files.yaml") {
		t.Run(name, func(t *testing.T) {
			was, is := claimOf(test.From, `{"spec":`+test.Was+`}`), claimOf(test.To, `{"spec":`+test.Is+`}`)
			there, _ := converted(t, was, test.To, o)
			same(t, there, is)
			back, _ := converted(t, there, test.From, o)
			same(t, back, was)
		})
	}
}

// Preserved data in an annotation also has only what was written.
func TestPreservedDataHasNoDefaults(t *testing.T) {
	const was = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"},` +
		`"spec":{"devices":{"requests":[` +
		`{"name":"one","exactly":{"deviceClassName":"c"}},{"name":"two","exactly":{"deviceClassName":"d","count":1,` +
		`"capacity":{"requests":{"m":"1Gi"}}}},` +
		`{"name":"three","firstAvailable":[{"name":"big","deviceClassName":"c"}]}]}}}`
	o := Options{Strict: true, Manifest: true, OmitDefaults: true}
	for _, version := range Versions() {
		there, _ := must.Get2(ConvertJSON([]byte(was), version, o))(t)
		back, _ := must.Get2(ConvertJSON(there, "v1", o))(t)
		if string(back) != was {
			t.Errorf("through %s\n got %s\nwant %s\n via %s", version, back, was, there)
		}
		// An API server sets defaults, and the preserved data is still used.
		stored, report, err := ConvertJSON(completed(t, there), "v1", Options{Strict: true})
		if err != nil || len(report.Ignored)+len(report.Stale) > 0 {
			t.Fatalf("%v, ignored %q, stale %q", err, report.Ignored, report.Stale)
		}
		if want := completed(t, []byte(was)); !Equal(want, completed(t, stored)) {
			t.Errorf("through %s and an API server\n got %s\nwant %s", version, stored, want)
		}
	}
}

// completed returns an object with the defaults of its version, as an API server stores it.
func completed(t *testing.T, object []byte) []byte {
	t.Helper()
	return encode(normal(typed(t, object)))
}

// filesGainNothing checks that a round trip adds nothing to a file, and that an API server stores the converted file
// like the original.
func filesGainNothing(c *propertyCase) {
	o := Options{Strict: true, Manifest: true, OmitDefaults: true}
	was := c.bare(c.object)
	there, report := converted(c.T, was, c.to, o)
	if report.Incomplete != "" || len(report.Lost) > 0 {
		return // has separate tests
	}
	back, _ := converted(c.T, there, c.from, o)
	for path := range gained(was, back) {
		c.Errorf("it gained %s on its way and back:\n%s\n%s\n%s", path, clip(was), clip(there), clip(back))
	}
	want, _ := converted(c.T, was, Stored(), Options{})
	if c.IntN(2) == 0 && !bytes.HasSuffix(there, []byte(`"status":{}}`)) { // which types omit
		there = completed(c.T, there)
	}
	if got, _ := converted(c.T, there, Stored(), Options{}); !Equal(completed(c.T, want), completed(c.T, got)) {
		c.Errorf("it becomes another one:\n got %s\nwant %s\n via %s", clip(got), clip(want), clip(there))
	}
}

// gained returns the paths of an object that another one does not have.
func gained(was, is []byte) map[string]bool {
	had, has := pathsOf(was), pathsOf(is)
	maps.DeleteFunc(has, func(path string, _ bool) bool { return had[path] })
	return has
}
