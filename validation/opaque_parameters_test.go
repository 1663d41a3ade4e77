package validation

import (
	"encoding/json"
	"strings"
	"testing"
)

// What is taken without parsing it is what parsing it takes.
func TestPlainObjectsAreObjects(t *testing.T) {
	taken := 0
	for _, raw := range []string{
		`{}`, ` {"a": [1, -2.5, "x\u00e9"], "b": {"c": null}} `, `{"a":"9e9"}`, `{"a":1e2}`, `{"a":1e400}`, `{"a":1E+400}`,
		`{"a":` + strings.Repeat("9", 299) + `}`, `{"a":` + strings.Repeat("9", 310) + `}`, `{"a":"` + strings.Repeat("9", 310) + `"}`,
		``, `null`, `[]`, `"x"`, `1`, `{`, `{}}`, `{"a"}`, `{"a":01}`, `{"a":1.}`, `{'a':1}`, `{"a":tru}`, "{\"a\":\"\n\"}", `{"a":"\x"}`, `{"a":"\u12"}`, `{"a":1,}`,
		strings.Repeat(`{"a":`, 9_999) + `{}` + strings.Repeat(`}`, 9_999), strings.Repeat(`{"a":`, 10_001) + `{}` + strings.Repeat(`}`, 10_001),
	} {
		var parsed any
		err := json.Unmarshal([]byte(raw), &parsed)
		_, object := parsed.(map[string]any)
		if isPlainObject([]byte(raw)) {
			taken++
			if err != nil || !object {
				t.Errorf("%.60s is taken: %v", raw, err)
			}
		}
	}
	if taken < 3 {
		t.Errorf("only %d are taken", taken)
	}
}
