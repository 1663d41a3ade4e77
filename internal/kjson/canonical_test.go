package kjson

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestCanonical(t *testing.T) {
	tests := map[string]struct{ value, want string }{
		"members are sorted at every depth": {`{"b":{"d":1,"c":[{"f":1,"e":2}]},"a":{"z":0,"y":{}}}`, `{"a":{"y":{},"z":0},"b":{"c":[{"e":2,"f":1}],"d":1}}`},
		// U+FF61 is EF BD A1 in UTF-8 and FF61 in UTF-16, the other one F0 9F 98 80 and D83D DE00.
		"names are sorted by their bytes, as an API server does": {`{"😀":1,"｡":2,"a":3}`, `{"a":3,"｡":2,"😀":1}`},
		"also where they are written with escapes":               {`{"\ud83d\ude00":1,"\uff61":2,"b":3,"\u0061":4,"\"":5}`, `{"\"":5,"a":4,"b":3,"｡":2,"😀":1}`},
		"members of one name keep their order":                   {`{"b":0,"a":2,"\u0061":1}`, `{"a":2,"a":1,"b":0}`},
		"numbers are those of an API server":                     {`[-0,-0.0,1.0,1e2,1e21,12345678901234567890,-5,100000000000000000,1e999]`, `[0,0,1,100,1e+21,12345678901234567000,-5,100000000000000000,1e999]`},
		"strings have few escapes":                               {`["\u003c\/\u2028\u0001\n","\ud800"]`, "[\"</\u2028\\u0001\\n\",\"\ufffd\"]"},
		"white space goes":                                       {" { \"b\" : [ 1 , 2 ] ,\n\"a\" : null } ", `{"a":null,"b":[1,2]}`},
		"what an API server takes at most, 10,000 deep":          {strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)},
		"what is deeper is not JSON to it":                       {strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001), ""},
		"a text that ends early":                                 {`{"b":1,"a":`, ""},
		"two values":                                             {`{} {}`, ""},
		"nothing":                                                {``, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := string(Canonical([]byte(test.value))); got != test.want {
				t.Errorf("got %.200q, want %.200q", got, test.want)
			}
		})
	}
}

// nested is a value so deep that holds so many bytes, with the members of each object out of order.
func nested(depth, size int) []byte {
	filler := strings.Repeat("x", size/depth)
	var b bytes.Buffer
	for range depth {
		fmt.Fprintf(&b, `{"c":%q,"b":`, filler)
	}
	b.WriteString("0")
	b.WriteString(strings.Repeat(`,"a":{}}`, depth))
	return b.Bytes()
}

// TestDeepValuesCostNoMoreThanFlatOnes: when each level moved all that is in it, a megabyte that is 9,000 deep took ten
// seconds to make canonical, and a minute to compare. This one would not end in the time that a test has; none is asserted.
func TestDeepValuesCostNoMoreThanFlatOnes(t *testing.T) {
	deep := nested(9000, 16<<20)
	if Canonical(deep) == nil {
		t.Error("it is not JSON")
	}
}

// TestCanonicalIsWhatItWas holds generated values with names in ASCII against jsontext's way, by which the first digests were made.
func TestCanonicalIsWhatItWas(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		value := randomValue(random, 6)
		want := must.Get(jsontext.AppendFormat(nil, value, jsontext.ReorderRawObjects(true), jsontext.AllowDuplicateNames(true)))(t)
		if got := Canonical(value); !bytes.Equal(got, want) {
			t.Fatalf("%s\nis  %s\nwas %s", value, got, want)
		}
	}
}

func randomValue(random *rand.Rand, depth int) []byte {
	kind := random.IntN(6)
	if depth == 0 {
		kind %= 3
	}
	var b bytes.Buffer
	switch kind {
	case 0:
		fmt.Fprint(&b, random.IntN(1000))
	case 1:
		b.WriteString([]string{"true", "false", "null"}[random.IntN(3)])
	case 2:
		fmt.Fprintf(&b, `"a\u003c%d\n"`, random.IntN(10))
	case 3:
		b.WriteByte('[')
		for i := range random.IntN(5) {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(randomValue(random, depth-1))
		}
		b.WriteByte(']')
	default:
		b.WriteByte('{')
		for i := range random.IntN(6) {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `"%c%d" : %s`, 'a'+rune(random.IntN(26)), i, randomValue(random, depth-1))
		}
		b.WriteByte('}')
	}
	return b.Bytes()
}
