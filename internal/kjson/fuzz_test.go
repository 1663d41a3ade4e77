package kjson

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	apijson "k8s.io/apimachinery/pkg/util/json"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// FuzzCanonical holds the digest's ground: canonical JSON is idempotent, and means the same as what went in.
func FuzzCanonical(f *testing.F) {
	for _, value := range []string{`{"b":1,"a":[1.0,1e3,-0,12345678901234567890,0.000001]}`, `"\u2028\ud83d\ude00"`, `{"a":1,"a":2}`, `1e-7`, `1E21`, `-0e00`, `{"a":"\"\n","b":[-1,0,{}]}`, `{"b":1,"a":2}`, `{"a": 1}`, `["\/"]`, `"\u0041"`, `[-0]`} {
		f.Add([]byte(value))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		once := Canonical(value)
		if isCanonical(value) && !bytes.Equal(value, once) {
			t.Fatalf("%q is not canonical, %q is", value, once)
		}
		if once == nil {
			return
		}
		if twice := Canonical(once); !bytes.Equal(once, twice) {
			t.Fatalf("%s became %s became %s", value, once, twice)
		}
		// As the API server reads and writes it, it stays canonical: digests survive storage.
		if jsontext.Value(value).IsValid() && utf8.Valid(value) {
			var tree any
			if err := apijson.Unmarshal(value, &tree); err != nil {
				return // numbers out of range
			}
			stored := must.Get(json.Marshal(tree))(t)
			if again := Canonical(stored); !bytes.Equal(once, again) {
				t.Fatalf("%s is %s, but stored as %s it is %s", value, once, stored, again)
			}
		}
	})
}
