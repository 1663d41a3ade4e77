package conversion

import (
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// FuzzEqual checks that the spelling of a value does not matter.
func FuzzEqual(f *testing.F) {
	f.Add([]byte(`{"b":1,"a":[1.0,1e3,-0,null,{"c":{}}],"parameters":{"d":""}}`))
	f.Fuzz(func(t *testing.T, value []byte) {
		if once := objectjson.Canonical(value); once != nil && !Equal(value, once) {
			t.Fatalf("%s is not equal to %s", value, once)
		}
	})
}

// The test would time out if each level moved its content.
func TestDeepValuesAreComparedInLinearTime(t *testing.T) {
	const levels = 9000
	pad := `"z":"` + strings.Repeat("x", 1800) + `","a":`
	deep := []byte(strings.Repeat("{"+pad, levels) + "1" + strings.Repeat("}", levels))
	if !Equal(deep, deep) {
		t.Error("it is not equal to itself")
	}
}
