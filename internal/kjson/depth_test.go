package kjson

import "testing"

func TestDepth(t *testing.T) {
	for value, want := range map[string]int{
		``: 0, `1`: 0, `"[[["`: 0, `"\"[["`: 0, `{}`: 1, `[[],[]]`: 2, `{"a{":[{"b":"}}"}],"c":{}}`: 3, `[ { } ]`: 2,
	} {
		if got := Depth([]byte(value)); got != want {
			t.Errorf("%s is %d deep, not %d", value, got, want)
		}
	}
}
