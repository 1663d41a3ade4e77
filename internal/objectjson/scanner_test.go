package objectjson

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func valid(data []byte) bool {
	s := NewScanner(data)
	s.Skip()
	return s.AtEnd()
}

// FuzzScanner compares the scanner with jsontext: the same texts are JSON, and strings are the same. Its seeds cover
// each rule of the grammar.
func FuzzScanner(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,-2.5e+3,true,null,"b\n\u00e9\ud83d\ude00"]}`,
		"\"\xff\"",
		`"\ud800"`,
		`"0123456789\"abcdefgh"`,
		`[[[`,
		"\"\x7f\u2028<\"",
		" [ ] ",
		"\t{ }\r\n",
		`""`,
		`-0`,
		`1E5`,
		`{"a":1,"a":2}`,
		strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000),
		strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001),
		``,
		` `,
		`01`,
		`1.`,
		`-`,
		`1e`,
		`+1`,
		`.5`,
		`nul`,
		`truE`,
		`[1,]`,
		`[,1]`,
		`{"a"}`,
		`{"a":}`,
		`{a:1}`,
		`{"a":1,}`,
		`[1}`,
		`{"a":1]`,
		`"a`,
		`"\x"`,
		`"\u12g4"`,
		`"\u12`,
		`"\`,
		"\"\n\"",
		"\"0123456\x1f\"",
		`1 2`,
		"\"\x00\"",
		"\x00",
		"1\x00",
		"\v1",
		`"01234567`,
		`"0123456\`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		lenient := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
		if got, want := valid(text), jsontext.Value(text).IsValid(lenient...); got != want {
			t.Fatalf("%q: %v, jsontext says %v", text, got, want)
		}
		quoted := AppendQuoted([]byte("x"), string(text))
		if want, _ := jsontext.AppendQuote([]byte("x"), text); !bytes.Equal(quoted, want) {
			t.Fatalf("%q is quoted as %s, not %s", text, quoted, want)
		}
		s := NewScanner(text)
		if !s.Is('"') {
			return
		}
		begin := s.pos
		read := s.ReadString()
		if s.Failed() {
			return
		}
		want, err := jsontext.AppendUnquote([]byte("x"), text[begin:s.pos])
		got, ok := AppendUnquoted([]byte("x"), text[begin:s.pos])
		if !bytes.Equal(got, want) || ok != (err == nil) {
			t.Fatalf("%q is %q, %v, not %q, %v", text, got, ok, want, err)
		}
		if !read.HasEscapes && !read.HasNonASCII && !bytes.Equal(text[read.Begin:read.End], want[1:]) {
			t.Fatalf("%q is not plain", text)
		}
	})
}
