package kjson

import (
	"strings"
	"testing"
)

func TestIsDecodable(t *testing.T) {
	nested := func(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
	for text, want := range map[string]bool{
		`{"a":[1.50,-0,1e308,12345678901234567890,"1e400"]}`: true,
		nested(20):         true,
		nested(21):         false,
		`{"a":1e400}`:      false,
		`[-1e400]`:         false,
		`{"a":1,"a":2}`:    false,
		"[\"\xff\"]":       false,
		`["\ud800"]`:       false,
		`{"a":1}{`:         false,
		`[01]`:             false,
		``:                 false,
		`"1e400 [[[\" [["`: true,
	} {
		if got := IsDecodable([]byte(text), 20); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
