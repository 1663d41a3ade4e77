package kjson

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestAppendCompactTakesAwayNothingButSpace(t *testing.T) {
	for _, value := range []string{
		`{}`, `null`, ` 1 `, "[ 1 ,\n\t2\r]", `{ "a b" : "c \" d \\" , "e" : [ true ] }`, `"\\"`, `{"a":"\u003c \n"}`, "{\n  \"a\": {}\n}",
	} {
		want := jsontext.Value(value).Clone()
		must.Do(t, want.Compact(jsontext.PreserveRawStrings(true)))
		if got := AppendCompact([]byte("x"), []byte(value)); string(got) != "x"+string(want) {
			t.Errorf("%q became %q, not %q", value, got, want)
		}
	}
}

func TestAppendCompactEndsOnWhatIsNoJSON(t *testing.T) {
	for _, value := range []string{"", ` "`, ` "\`, ` "a`, ` ]`} {
		if got := AppendCompact(nil, []byte(value)); len(got) > len(value) {
			t.Errorf("%q became more: %q", value, got)
		}
	}
}
