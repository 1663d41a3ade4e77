package yamldoc

import (
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestFieldsAreLocated(t *testing.T) {
	const text = `# head
---
a: 1
---
# of the list
kind: List
items:
- metadata:
    name: one
    annotations:
      example.com/a.b: x
- {spec: {list: [a, {deep: true}]}}
- *none
`
	object := strings.Replace(text, "- *none\n", "- spec: &s {list: [c]}\n- spec: *s\n", 1)
	r := NewReader(strings.NewReader(object), "f.yaml")
	must.Get(r.Next())(t)
	d := must.Get(r.Next())(t)
	for name, test := range map[string]struct {
		items        []int
		path         string
		line, column int
	}{
		"a key of the document":           {nil, "kind", 6, 1},
		"no path":                         {nil, "", 0, 0},
		"an item":                         {[]int{1}, "", 12, 3},
		"a key of an item":                {[]int{0}, "metadata.name", 9, 5},
		"a name with dots":                {[]int{0}, "metadata.annotations.example.com/a.b", 11, 7},
		"a name in brackets":              {[]int{0}, "metadata.annotations[example.com/a.b]", 11, 7},
		"in flow style":                   {[]int{1}, "spec.list[1].deep", 12, 22},
		"behind an alias":                 {[]int{3}, "spec.list[0]", 13, 20},
		"a path beyond a field":           {[]int{0}, "metadata.labels.a", 8, 3},
		"an index out of range":           {[]int{1}, "spec.list[7]", 12, 11},
		"a missing item":                  {[]int{9}, "metadata", 0, 0},
		"an item of a claim":              {[]int{0, 1}, "metadata", 0, 0},
		"an index where a name should be": {[]int{0}, "[1]", 8, 3},
		"a name where an index should be": {[]int{1}, "spec.list.a", 12, 11},
		"an invalid path":                 {[]int{1}, "spec.list[", 12, 11},
		"items in the path":               {nil, "items[0].metadata.name", 9, 5},
	} {
		if line, column := d.Locate(test.items, test.path); line != test.line || column != test.column {
			t.Errorf("%s: %d:%d, want %d:%d", name, line, column, test.line, test.column)
		}
	}
	json := must.Get(NewReader(strings.NewReader(`{"kind":"a"}`), "f.json").Next())(t)
	if line, column := json.Locate(nil, "kind"); line != 0 || column != 0 {
		t.Errorf("JSON: %d:%d", line, column)
	}
}
