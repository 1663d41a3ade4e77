package yamldoc

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// readOne reads the only document of a text as JSON.
func readOne(t testing.TB, text string, strict bool) (string, error) {
	t.Helper()
	r := NewReader(strings.NewReader(text), "x.yaml")
	d, err := r.Next()
	if err != nil {
		return "", err
	}
	object, err := d.Object(strict)
	if err != nil {
		return "", err
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Fatalf("after the document: %v, want EOF", err)
	}
	return string(object), nil
}

func TestYAMLIsReadAsByKubectlWithOrderAndDigits(t *testing.T) {
	for name, test := range map[string]struct{ yaml, json string }{
		"duplicate keys, not strict": {"a: 1\nb: 2\na: 3\n", `{"a":3,"b":2}`},
		"key order":                  {"z: 1\na: 2\nm: {x: 1, b: 2}\n", `{"z":1,"a":2,"m":{"x":1,"b":2}}`},
		"integer beyond 2^53":        {"i: 9007199254740993\n", `{"i":9007199254740993}`},
		"integer beyond 2^64":        {"i: 123456789012345678901234567890\n", `{"i":123456789012345678901234567890}`},
		"negative big integer":       {"i: -99999999999999999999\n", `{"i":-99999999999999999999}`},
		"hexadecimal and octal": {
			"a: 0x1F\nb: 0o17\nc: 017\nd: 0b11\ne: 1_000\n",
			`{"a":31,"b":15,"c":15,"d":3,"e":1000}`,
		},
		"booleans of YAML 1.1": {
			"a: yes\nb: No\nc: on\nd: OFF\ne: y\nf: true\n",
			`{"a":true,"b":false,"c":true,"d":false,"e":true,"f":true}`,
		},
		"quoted words stay strings": {
			"a: \"yes\"\nb: 'no'\nc: \"1\"\nd: !!str 5\ne: |\n  on\n",
			`{"a":"yes","b":"no","c":"1","d":"5","e":"on\n"}`,
		},
		"times are strings": {
			"a: 2024-01-02\nb: 2024-01-02T03:04:05Z\n",
			`{"a":"2024-01-02","b":"2024-01-02T03:04:05Z"}`,
		},
		"numbers without a fraction": {"a: 1e3\nb: 1.0\nc: 1.50\nd: .5\n", `{"a":1000,"b":1,"c":1.50,"d":0.5}`},
		"nulls":                      {"a:\nb: ~\nc: null\n", `{"a":null,"b":null,"c":null}`},
		"anchors and aliases": {
			"a: &x {k: v}\nb: *x\nc: [*x, *x]\n",
			`{"a":{"k":"v"},"b":{"k":"v"},"c":[{"k":"v"},{"k":"v"}]}`,
		},
		"merge keys": {
			"a: &x {k: v, l: w}\nb:\n  l: own\n  <<: *x\n  z: 1\n",
			`{"a":{"k":"v","l":"w"},"b":{"l":"own","k":"v","z":1}}`,
		},
		"an overridden merged key": {"a: &x {k: v}\nb: {<<: *x, k: own}\n", `{"a":{"k":"v"},"b":{"k":"own"}}`},
		"merge of several": {
			"a: &x {k: 1}\nb: &y {k: 2, l: 3}\nc: {<<: [*x, *y]}\n",
			`{"a":{"k":1},"b":{"k":2,"l":3},"c":{"k":1,"l":3}}`,
		},
		"JSON with escapes": {
			`{"a": "\ud83d\ude00 \u2028 \/", "b": [1, 2.5e10]}`,
			`{"a": "\ud83d\ude00 \u2028 \/", "b": [1, 2.5e10]}`,
		},
		"braces of a template": {
			"metadata:\n  name: claim-{{.Index}}\n",
			`{"metadata":{"name":"claim-{{.Index}}"}}`,
		},
		"byte order mark":        {"\ufeffa: 1\n", `{"a":1}`},
		"separator with content": {"--- {a: 1}\n", `{"a":1}`},
		"CRLF":                   {"---\r\na: 1\r\nb: x\r\n---\r\n", `{"a":1,"b":"x"}`},
	} {
		t.Run(name, func(t *testing.T) {
			got := must.Get(readOne(t, test.yaml, !strings.HasSuffix(name, "not strict")))(t)
			if diff := cmp.Diff(test.json, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestValuesWithoutJSONFormAreErrorsWithALine(t *testing.T) {
	for name, test := range map[string]struct{ yaml, want string }{
		"number as key":              {"a:\n  1: x\n", "line 2: key 1 is not a string but a number: quote it"},
		"boolean of YAML 1.1 as key": {"a: 1\non: x\n", "line 2: key on is not a string but a boolean: quote it"},
		"mapping as key":             {"? {a: 1}\n: x\n", "line 1: a key is not a string"},
		"duplicate key":              {"a: 1\nb: 2\na: 3\n", `line 3: duplicate key "a", first on line 1`},
		"infinity":                   {"a: 1\nb: .inf\n", "line 2: a value is not a number in JSON"},
		"negative infinity":          {"a: 1\nb: -.Inf\n", "line 2: a value is not a number in JSON"},
		"a tagged infinity":          {"a: 1\nb: !!float Infinity\n", "line 2: a value is not a number in JSON"},
		"not a number":               {"a: 1\nb: .nan\n", "line 2: a value is not a number in JSON"},
		"not a number, with a tag":   {"a: 1\nb: !!float NaN\n", "line 2: a value is not a number in JSON"},
		"custom tag":                 {"a: !secret x\n", "line 1: a value has the tag !secret, which has no JSON form"},
		"binary":                     {"a: !!binary aGk=\n", "line 1: a value has the tag !!binary, which has no JSON form"},
		"alias within itself":        {"a: &x\n  b: *x\n", "line 2: alias *x refers to a value that contains it"},
		"merge within itself":        {"a: &x\n  <<: *x\n", "line 2: alias *x refers to a value that contains it"},
		"alias without an anchor": {
			"a: *secret\n",
			"x.yaml: document 1 (line 1): is not YAML: an alias refers to an anchor that is not defined",
		},
		"merge of a scalar": {"a: {<<: 5}\n", "line 1: a merge key takes mappings only"},
		"no object":         {"- a\n- b\n", "x.yaml: document 1 (line 1): is not an object"},
		"two values": {
			"{a: 1}\nb: 2\n",
			"x.yaml: document 1 (line 1): is not YAML, near line 1: did not find expected <document start>",
		},
		"UTF-16": {"\xff\xfea\x00:\x00", "x.yaml: is UTF-16, save it as UTF-8"},
		"bad indentation": {
			"# one\n---\na:\n  b: 1\n c: 2\n",
			"x.yaml: document 1 (line 3): is not YAML, near line 4: did not find expected key",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readOne(t, test.yaml, true)
			if err == nil {
				t.Fatal("no error")
			}
			if diff := cmp.Diff(test.want, err.Error()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestExpansionOfAliasesIsLimited(t *testing.T) {
	for name, level := range map[string]string{
		"aliases":          "[%, %, %, %, %, %, %, %, %]",
		"merge keys":       "{<<: [%, %, %, %, %, %, %, %, %]}",
		"empty merge keys": "{<<: [%, %, %, %, %, %, %, %, %]}",
	} {
		t.Run(name, func(t *testing.T) {
			text := "a0: &a0 {k: vvvvvvvvvvvvvvvvvvvvvvvvvvvvvv}\n"
			if strings.HasPrefix(name, "empty") {
				text = "a0: &a0 {}\n"
			}
			for i := 1; i < 30; i++ {
				text += "a" + strconv.Itoa(i) + ": &a" + strconv.Itoa(i) + " " + strings.ReplaceAll(level, "%",
					"*a"+strconv.Itoa(i-1)) + "\n"
			}
			if _, err := readOne(t, text, true); err == nil {
				t.Error("it was written out")
			}
		})
	}
}

// roundTrip compares both directions and kubectl's parser.
func roundTrip(t *testing.T, object []byte) {
	t.Helper()
	var b bytes.Buffer
	if err := WriteYAML(&b, object); err != nil {
		t.Fatalf("%s: %v", object, err)
	}
	back, err := readOne(t, b.String(), true)
	if err != nil {
		t.Fatalf("%s\nwritten as\n%s\ncannot be read: %v", object, b.String(), err)
	}
	if diff := cmp.Diff(canonical(t, object), canonical(t, []byte(back))); diff != "" {
		t.Fatalf("%s\nwritten as\n%s\nread as\n%s\n%s", object, b.String(), back, diff)
	}
	theirs, err := yaml.YAMLToJSON(b.Bytes())
	if err != nil {
		t.Fatalf("%s\nwritten as\n%s\nkubectl cannot read: %v", object, b.String(), err)
	}
	if diff := cmp.Diff(value(t, object), value(t, theirs)); diff != "" {
		t.Fatalf("%s\nwritten as\n%s\nkubectl reads\n%s\n%s", object, b.String(), theirs, diff)
	}
}

// canonical returns a form of JSON that keeps the order of keys and the digits of integers.
func canonical(t *testing.T, object []byte) string {
	t.Helper()
	value := jsontext.Value(bytes.Clone(object))
	must.Do(t, value.Format(jsontext.AllowDuplicateNames(true), jsontext.CanonicalizeRawFloats(true)))
	return negativeZero.ReplaceAllString(string(value), "0$1")
}

var negativeZero = regexp.MustCompile(`-0([,\]}])`)

// words are read as other types by some parsers, or have characters that writers get wrong.
var words = strings.Fields(`yes no on off y n true null ~ 0o7 017 0x1f 1e3 .5 1_000 1:30 190:20:30 2024-01-02 .inf .nan
	<< = - -- --- ... ? : # & * ! | > % @ { } [ ] , ' " {{.Index}} a:b a: :a a#b +1 -1 -0 1. 0b1 0. 1e400 NULL Off
	2001-12-14t21:59:43.10-05:00 !!str *a &a %YAML ?a -a`)

var runes = []rune(" \t\n\r\x00\x07\x1b\x7f\u0085\u00a0\u2028\u2029\ufeff\ufffd\ufffe\U0001F600éß:#-'\"\\{}[]," +
	"&*!|>%@`~=?<.+_0123456789abcYNe")

func randomString(r *rand.Rand) string {
	if r.IntN(3) == 0 {
		return words[r.IntN(len(words))]
	}
	s := make([]rune, r.IntN(12))
	for i := range s {
		s[i] = runes[r.IntN(len(runes))]
	}
	if r.IntN(40) == 0 {
		return strings.Repeat(string(s)+"x y", 60)
	}
	return string(s)
}

func randomValue(r *rand.Rand, depth int) any {
	switch n := r.IntN(8); {
	case n == 0 && depth < 5:
		list := make([]any, r.IntN(4))
		for i := range list {
			list[i] = randomValue(r, depth+1)
		}
		return list
	case n <= 2 && depth < 5:
		return randomObject(r, depth+1)
	case n == 3:
		return json.Number([]string{
			"0", "-1", "9007199254740993", "18446744073709551616", "-9223372036854775809", "1.5", "1e3",
			"1E-7", "2.50", "1e21", "123456789012345678901234567890", "0.1", "-0",
		}[r.IntN(13)])
	case n == 4:
		return []any{true, false, nil}[r.IntN(3)]
	}
	return randomString(r)
}

func randomObject(r *rand.Rand, depth int) map[string]any {
	m := map[string]any{}
	for range r.IntN(5) {
		m[randomString(r)] = randomValue(r, depth)
	}
	return m
}

func TestInvalidJSONIsNotWritten(t *testing.T) {
	for _, value := range []string{
		"", "x", `{"a":}`, `{"a":1`, `{"a":"b`, `{"\ud800":1}`, `{"a":"\ud800"}`, "{\"\xff\":1}",
		"{\"a\":\"\xff\"}", `[1,]`,
	} {
		var b bytes.Buffer
		if err := WriteYAML(&b, []byte(value)); err == nil || b.Len() > 0 {
			t.Errorf("%q was written as %q, %v", value, b.String(), err)
		}
	}
}

func TestJSONSurvivesYAML(t *testing.T) {
	seed := objects.Seed(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 10000 {
		object := must.Get(json.Marshal(randomObject(r, 0)))(t)
		roundTrip(t, object)
	}
}

// Items that are written in chunks have the text of the whole list.
func TestListsAreWrittenInChunks(t *testing.T) {
	const item = `{"kind":"ResourceClaim","metadata":{"name":"a"},"spec":{"devices":{"requests":[{"name":"b"}]}}}`
	tests := map[string]string{
		"items":                  `{"apiVersion":"v1","kind":"List","items":[` + item + `,` + item + `,` + item + `]}`,
		"members after items":    `{"kind":"List","items":[` + item + `,1,"x",[2,[3]],{}],"metadata":{"a":[1,2]}}`,
		"no items":               `{"kind":"List","items":[],"apiVersion":"v1"}`,
		"items that are null":    `{"kind":"List","items":null}`,
		"another kind of object": `{"kind":"Claim","items":[` + item + `,` + item + `]}`,
	}
	for name, list := range tests {
		t.Run(name, func(t *testing.T) {
			var whole bytes.Buffer
			must.Do(t, writeInChunks(&whole, []byte(list), len(list)))
			for _, size := range []int{1, 50, len(item), 2 * len(item)} {
				var chunks bytes.Buffer
				must.Do(t, writeInChunks(&chunks, []byte(list), size))
				if chunks.String() != whole.String() {
					t.Errorf("chunks of %d bytes:\n%s\nwant:\n%s", size, &chunks, &whole)
				}
			}
		})
	}
}
