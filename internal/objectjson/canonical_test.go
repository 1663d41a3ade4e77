package objectjson

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	apijson "k8s.io/apimachinery/pkg/util/json"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestCanonical(t *testing.T) {
	tests := map[string]struct{ value, want string }{
		"members are sorted at every depth": {
			`{"b":{"d":1,"c":[{"f":1,"e":2}]},"a":{"z":0,"y":{}}}`,
			`{"a":{"y":{},"z":0},"b":{"c":[{"e":2,"f":1}],"d":1}}`,
		},
		// U+FF61 is EF BD A1 in UTF-8 and FF61 in UTF-16, the other one F0 9F 98 80 and D83D DE00.
		"names are sorted by their bytes, as an API server does": {`{"😀":1,"｡":2,"a":3}`, `{"a":3,"｡":2,"😀":1}`},
		"also where they are written with escapes": {
			`{"\ud83d\ude00":1,"\uff61":2,"b":3,"\u0061":4,"\"":5}`,
			`{"\"":5,"a":4,"b":3,"｡":2,"😀":1}`,
		},
		"members of one name keep their order": {`{"b":0,"a":2,"\u0061":1}`, `{"a":2,"a":1,"b":0}`},
		"numbers are those of an API server": {
			`[-0,-0.0,1.0,1e2,1e21,12345678901234567890,-5,100000000000000000,1e999]`,
			`[0,0,1,100,1e+21,12345678901234567000,-5,100000000000000000,1e999]`,
		},
		"strings have few escapes": {
			`["\u003c\/\u2028\u0001\n","\ud800"]`, "[\"</\u2028\\u0001\\n\",\"\ufffd\"]",
		},
		"white space goes": {
			" { \"b\" : [ 1 , 2 ] ,\n\"a\" : null } ",
			`{"a":null,"b":[1,2]}`,
		},
		"what an API server takes at most, 10,000 deep": {
			strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000),
			strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000),
		},
		"what is deeper is not JSON to it": {
			strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001),
			"",
		},
		"a text that ends early": {`{"b":1,"a":`, ""},
		"two values":             {`{} {}`, ""},
		"nothing":                {``, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := string(Canonical([]byte(test.value))); got != test.want {
				t.Errorf("got %.200q, want %.200q", got, test.want)
			}
		})
	}
}

// If each level moved its content, the canonical form of a megabyte with 9,000 levels took ten seconds, and a
// comparison a minute. Then this test would time out.
func TestDeepValuesCostNoMoreThanFlatValues(t *testing.T) {
	const levels = 9000
	deep := strings.Repeat(`{"c":"`+strings.Repeat("x", 16<<20/levels)+`","b":`,
		levels) + "0" + strings.Repeat(`,"a":{}}`,
		levels)
	if Canonical([]byte(deep)) == nil {
		t.Error("it is not JSON")
	}
}

// FuzzCanonical checks what digests depend on: canonical JSON is idempotent, and has the same meaning as the input.
func FuzzCanonical(f *testing.F) {
	for _, value := range []string{
		`{"b":1,"a":[1.0,1e3,-0,12345678901234567890,0.000001]}`,
		`"\u2028\ud83d\ude00"`,
		`{"a":1,"a":2}`,
		`1e-7`,
		`1E21`,
		`-0e00`,
		`{"a":"\"\n","b":[-1,0,{}]}`,
		`{"b":1,"a":2}`,
		`{"a": 1}`,
		`["\/"]`,
		`"\u0041"`,
		`[-0]`,
		`{"z":{"y":[{"b":1,"a":{}}],"x":"\u003c"},"c0" : {"b":{"a":[],"A":null},"a9":true,"a10":false}}`,
	} {
		f.Add([]byte(value))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		once := Canonical(value)
		if once == nil {
			return
		}
		if twice := Canonical(once); !bytes.Equal(once, twice) {
			t.Fatalf("%s became %s became %s", value, once, twice)
		}
		// Names without surrogates have the order of jsontext, which the first digests used.
		if jsontext.Value(value).IsValid() && !bytes.ContainsFunc(CanonicalWithDigits(value), func(r rune) bool {
			return r > 0xd7ff
		}) {
			want := must.Get(jsontext.AppendFormat(nil, value, jsontext.ReorderRawObjects(true)))(t)
			if got := CanonicalWithDigits(value); !bytes.Equal(got, want) {
				t.Fatalf("%s is ordered as %s, not %s", value, got, want)
			}
		}
		// The canonical form stays the same when an API server reads and writes it, so digests survive storage.
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
