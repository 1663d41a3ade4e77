package objectjson

import (
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type decoded struct {
	Text string                          `json:"text"`
	Int  int32                           `json:"int"`
	Maps map[string][]map[string]decoded `json:"maps"`
	Raw  runtime.RawExtension            `json:"raw"`
	Set  *metav1.FieldsV1                `json:"set"`
}

func TestDecodeErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"text":5}`:                               "text: cannot be a number, must be a string",
		`{"int":2147483648}`:                       "int: must be a 32-bit integer",
		`{"int":"1"}`:                              "int: must be a 32-bit integer",
		`{"maps":{"0":[{},{"1":{"text":{}}}]}}`:    "maps.0[1].1.text: cannot be an object, must be a string",
		`{"maps":{"a/b~":[[]]}}`:                   "maps.a/b~[0]: cannot be an array, must be an object",
		`{"new":1,"new":1,"text":true}`:            "text: cannot be a boolean, must be a string",
		`{"text":5,"int":}`:                        "int: is not JSON at byte 16",
		`{"raw":{"a":1,}}`:                         "raw: is not JSON at byte 14",
		`{} {}`:                                    "is not JSON at byte 3",
		`{"text":"a","text":"b","maps":{"a":"b"}}`: "maps.a: cannot be a string, must be an array",
	} {
		if _, err := Decode([]byte(text), &decoded{}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Raw values belong to their driver: their content does not cause a lenient decoding of the object.
func TestStrictness(t *testing.T) {
	for text, want := range map[string]struct {
		isStrict bool
		problems []string
	}{
		`{"text":"a","raw":{"b":1,"a":1,"a":2}}`:        {isStrict: true},
		`{"raw":"` + "\xff" + `","maps":{}}`:            {isStrict: true},
		`{"raw":["\ud800"]}`:                            {isStrict: true},
		`{"set":{"f:a":{},"f:a":"\ud800"},"raw":null}`:  {isStrict: true},
		`{"text":"` + "\xff" + `"}`:                     {},
		`{"text":"\ud800"}`:                             {},
		`{"text":"a","text":"b"}`:                       {problems: []string{"text"}},
		`{"Text":"a"}`:                                  {problems: []string{"Text"}},
		`{"maps":{"a":[{"b":{"new":1}}],"a":[]},"x":1}`: {problems: []string{"maps.a[0].b.new", "maps.a", "x"}},
	} {
		var value decoded
		if isStrict := DecodeStrict([]byte(text), &value); isStrict != want.isStrict {
			t.Errorf("%s is strict: %v", text, isStrict)
		} else if raw := string(value.Raw.Raw); isStrict && !strings.Contains(text, `"raw":`+raw) {
			t.Errorf("%s has the raw value %s", text, raw)
		} else if !isStrict && (value.Text != "" || value.Maps != nil) {
			t.Errorf("%s is not strict, and %+v is left", text, value)
		}
		problems, err := Decode([]byte(text), &value)
		if err != nil || !slices.Equal(problems, want.problems) {
			t.Errorf("%s: unknown or duplicate %q, %v", text, problems, err)
		}
	}
}
