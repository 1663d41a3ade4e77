package objectjson

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestAppendCompactRemovesOnlySpace(t *testing.T) {
	for _, value := range []string{
		`{}`,
		`null`,
		` 1 `,
		"[ 1 ,\n\t2\r]",
		`{ "a b" : "c \" d \\" , "e" : [ true ] }`,
		`"\\"`,
		`{"a":"\u003c \n"}`,
		"{\n  \"a\": {}\n}",
	} {
		want := jsontext.Value(value).Clone()
		must.Do(t, want.Compact(jsontext.PreserveRawStrings(true)))
		if got := AppendCompact([]byte("x"), []byte(value)); string(got) != "x"+string(want) {
			t.Errorf("%q became %q, not %q", value, got, want)
		}
	}
}

func TestAppendCompactEndsAtInvalidJSON(t *testing.T) {
	for _, value := range []string{"", ` "`, ` "\`, ` "a`, ` ]`} {
		if got := AppendCompact(nil, []byte(value)); len(got) > len(value) {
			t.Errorf("%q became more: %q", value, got)
		}
	}
}

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

func TestDepth(t *testing.T) {
	for value, want := range map[string]int{
		``: 0, `1`: 0, `"[[["`: 0, `"\"[["`: 0, `{}`: 1, `[[],[]]`: 2, `{"a{":[{"b":"}}"}],"c":{}}`: 3, `[ { } ]`: 2,
	} {
		if got := Depth([]byte(value)); got != want {
			t.Errorf("%s is %d deep, not %d", value, got, want)
		}
	}
}
