package kjson

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func valid(data []byte) bool {
	s := New(data)
	s.Skip()
	return s.AtEnd()
}

func TestScannerKeepsTheGrammar(t *testing.T) {
	tests := map[string]bool{
		`{"a":[1,-2.5e+3,0,true,false,null,"b\n\u00e9"]} `: true,
		" [ ] ": true, "\t{ }\r\n": true, `""`: true, `-0`: true, `1E5`: true, "\"\xff\"": true, `{"a":1,"a":2}`: true,
		strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000): true,
		strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001): false,
		``: false, ` `: false, `01`: false, `1.`: false, `-`: false, `1e`: false, `+1`: false, `.5`: false, `nul`: false, `truE`: false,
		`[1,]`: false, `[,1]`: false, `{"a"}`: false, `{"a":}`: false, `{a:1}`: false, `{"a":1,}`: false, `[1}`: false, `{"a":1]`: false,
		`"a`: false, `"\x"`: false, `"\u12g4"`: false, `"\u12`: false, `"\`: false, "\"\n\"": false, "\"0123456\x1f\"": false, `1 2`: false,
		"\"\x00\"": false, "\x00": false, "1\x00": false, "\v1": false, `"01234567`: false, `"0123456\`: false,
	}
	for text, want := range tests {
		if got := valid([]byte(text)); got != want {
			t.Errorf("%.40q: %v", text, got)
		}
		if got := json.Valid([]byte(text)); got != want {
			t.Errorf("%.40q: encoding/json says %v", text, got)
		}
	}
}

// FuzzScanner holds the scanner against jsontext: the same texts are JSON, and strings are the same.
func FuzzScanner(f *testing.F) {
	for _, text := range []string{`{"a":[1,-2.5e+3,true,null,"b\n\u00e9\ud83d\ude00"]}`, "\"\xff\"", `"\ud800"`, `"0123456789\"abcdefgh"`, `[[[`, "\"\x7f\u2028<\""} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		lenient := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
		if got, want := valid(text), jsontext.Value(text).IsValid(lenient...); got != want {
			t.Fatalf("%q: %v, jsontext says %v", text, got, want)
		}
		quoted := AppendQuoted([]byte("x"), View(text))
		if want, _ := jsontext.AppendQuote([]byte("x"), text); !bytes.Equal(quoted, want) {
			t.Fatalf("%q is quoted as %s, not %s", text, quoted, want)
		}
		s := New(text)
		if !s.Is('"') {
			return
		}
		begin := s.pos
		read := s.String()
		if s.Failed() {
			return
		}
		want, err := jsontext.AppendUnquote([]byte("x"), text[begin:s.pos])
		got, ok := AppendUnquoted([]byte("x"), text[begin:s.pos])
		if !bytes.Equal(got, want) || ok != (err == nil) {
			t.Fatalf("%q is %q, %v, not %q, %v", text, got, ok, want, err)
		}
		if !read.Escaped && !read.Foreign && !bytes.Equal(text[read.Begin:read.End], want[1:]) {
			t.Fatalf("%q is not plain", text)
		}
	})
}
