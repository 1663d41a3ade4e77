package conversion

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// FuzzJSON converts any text. The conversion never panics. A result is JSON of the target version with the same
// identity and metadata. The reverse conversion fails only for an incomplete copy. An error is an *Error.
func FuzzJSON(f *testing.F) {
	files, _ := filepath.Glob("testdata/*/*/*.yaml")
	more, _ := filepath.Glob("testdata/corpus/*.yaml")
	for _, file := range append(files, more...) {
		text := must.Get(os.ReadFile(file))(f)
		for _, document := range bytes.Split(text, []byte("\n---\n")) {
			if object, err := yaml.YAMLToJSON(document); err == nil {
				for to := range Versions() {
					f.Add(object, uint8(to))
				}
			}
		}
	}
	for _, object := range []string{
		``,
		`null`,
		`[]`,
		`{}`,
		`{"apiVersion":1}`,
		`{"kind":"ResourceClaim","apiVersion":"a/v1alpha1","metadata":null,"spec":{"resourceClassName":"x"},` +
			`"spec":null}`,
	} {
		f.Add([]byte(object), uint8(2))
	}
	f.Fuzz(func(t *testing.T, object []byte, to uint8) {
		version := Versions()[int(to)%len(versions)]
		out, report, err := ConvertJSON(object, version, Options{})
		if err != nil {
			var conversionError *Error
			if !errors.As(err, &conversionError) {
				t.Fatalf("%T is not an *Error", err)
			}
			return
		}
		header := must.Get(ReadHeader(object))(t)
		if header.Version == version {
			if !bytes.Equal(out, object) {
				t.Fatal("conversion to its own version changed the object")
			}
			return
		}
		if !json.Valid(out) || !utf8.Valid(out) && utf8.Valid(object) {
			t.Fatalf("the result is not JSON: %s", out)
		}
		got, want := must.Get(ReadHeader(out))(t), header
		want.Version = version
		if got != want {
			t.Fatalf("header %+v became %+v", header, got)
		}
		var top map[string]json.RawMessage
		if err := json.Unmarshal(out, &top); err != nil || len(top["metadata"]) == 0 {
			t.Fatalf("no metadata in %s", out)
		}
		if _, err := inspect(out); err != nil {
			t.Fatalf("the result cannot be inspected: %v\n%s", err, out)
		}
		if _, _, err := ConvertJSON(out, header.Version, Options{Strict: true}); err != nil && report.Incomplete == "" &&
			!errors.Is(err, ErrIncomplete) {
			t.Fatalf("the reverse conversion failed: %v\n%s", err, out)
		}
	})
}
