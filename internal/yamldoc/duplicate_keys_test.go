package yamldoc

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
)

// The last value of a duplicate key is used, as in encoding/json, and each earlier value is reported.
func TestWithoutDuplicates(t *testing.T) {
	tests := map[string]struct {
		want     string
		reported []string
	}{
		`{"a":1,"b":[1.0,1e400,-0]}`:        {`{"a":1,"b":[1.0,1e400,-0]}`, nil},
		`{"a":1, "a":2 }`:                   {`{"a":2 }`, []string{"a"}},
		"{\"a\":1,\n\"b\":2,\"\\u0061\":3}": {"{\"b\":2,\"\\u0061\":3}", []string{"a"}},
		`{"a":1,"b":2,"a":3,"a":4,"b":5}`:   {`{"a":4,"b":5}`, []string{"a", "a", "b"}},
		`{"a":{"b":1,"b":2},"c":[{"d":1,"d":2}],"a":{"b":3}}`: {
			`{"c":[{"d":2}],"a":{"b":3}}`, []string{"a.b", "c[0].d", "a"},
		},
		`{"a":[[],{"0":"x","0":["y"]}],"":1,"":{"e":1,"e":2}}`: {
			`{"a":[[],{"0":["y"]}],"":{"e":2}}`, []string{"a[1].0", `""`, `"".e`},
		},
		"{\"a\":1,\"a\":\"\xff\"}": {"{\"a\":\"\xff\"}", []string{"a"}},
	}
	for text, test := range tests {
		var reported []string
		once := string(WithoutDuplicates([]byte(text), func(e *LocationError) { reported = append(reported, e.Field) }))
		if once != test.want || !slices.Equal(reported, test.reported) {
			t.Errorf("%s: %s, reported %q, want %s and %q", text, once, reported, test.want, test.reported)
		}
		var was, is any
		before, after := json.Unmarshal([]byte(text), &was), json.Unmarshal([]byte(once), &is)
		if (before == nil) != (after == nil) || !reflect.DeepEqual(was, is) {
			t.Errorf("%s: %v, want %v (%v, %v)", text, is, was, before, after)
		}
	}
}
