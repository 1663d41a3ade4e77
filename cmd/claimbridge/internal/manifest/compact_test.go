package manifest

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestCompactJSONIsKnownFromOther(t *testing.T) {
	for value, want := range map[string]bool{
		`{"a":"b c","d":[1,true,null]}`:    true,
		`"a b"`:                            true,
		`{"a":"b, c"}`:                     false, // it might be white space, for all that a glance tells
		`{"a": 1}`:                         false,
		`{"a":1 }`:                         false,
		`[1 ,2]`:                           false,
		`[1,  2]`:                          false,
		"{\"a\":1,\n\"b\":2}":              false,
		"{\"a\":\t1}":                      false,
		"{\"a\":1\r}":                      false,
		` 1`:                               false,
		`1 `:                               false,
		`[true ]`:                          false,
		`[ "a"]`:                           false,
		`{"a" :1}`:                         false,
		`{"a":{} ,"b":[] }`:                false,
		`{"text":"with \" a quote in it"}`: true,
	} {
		if got := isCompact([]byte(value)); got != want {
			t.Errorf("%s: %v", value, got)
		}
	}
}

// FuzzCompact looks for white space that is overlooked.
func FuzzCompact(f *testing.F) {
	f.Add([]byte(`{"a b":[1, -2.5e3 ,"x y"] }`))
	f.Fuzz(func(t *testing.T, value []byte) {
		compact := append(jsontext.Value(nil), value...)
		if compact.Compact() == nil && isCompact(value) && string(compact) != string(value) {
			t.Errorf("%q is taken for compact", value)
		}
	})
}
