package oracle

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/validation"
)

// tree is a JSON object whose numbers keep their text.
type tree = map[string]any

// writeTree is a write with decoded objects.
type writeTree struct {
	operation   validation.Operation
	object, old tree
	// indented sends the new object with white space, which JSON ignores and opaque parameters keep.
	indented bool
}

// Placeholders for values that a map cannot have: a suffix of a key for a second member of the same name, and a byte in
// a text that is not UTF-8.
const (
	duplicate = "~again"
	notUTF8   = "~byte"
)

func parse(t *testing.T, object []byte) (o tree) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(object))
	decoder.UseNumber()
	if err := decoder.Decode(&o); err != nil {
		t.Fatalf("%v: %s", err, object)
	}
	return o
}

func render(t *testing.T, o tree, indented bool) []byte {
	t.Helper()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if indented {
		encoder.SetIndent("", " ")
	}
	must.Do(t, encoder.Encode(o))
	text := bytes.ReplaceAll(bytes.TrimSpace(out.Bytes()), []byte(duplicate), nil)
	return bytes.ReplaceAll(text, []byte(notUTF8), []byte{0xff})
}

func (w *writeTree) request(t *testing.T) validation.Request {
	t.Helper()
	if w.operation == validation.Create {
		return validation.Request{Operation: w.operation, Object: render(t, w.object, w.indented)}
	}
	// The API server validates metadata, and restores its immutable fields, before it calls a webhook.
	w.object["metadata"] = w.old["metadata"]
	r := validation.Request{Operation: w.operation, Object: render(t, w.object, w.indented)}
	r.OldObject = render(t, w.old, false)
	return r
}

// location of a value in an object: a member of parent or, if parent is nil, an item of a list.
type location struct {
	path   string // with * for an index
	value  any
	parent tree
	key    string
	set    func(any)
	remove func()
}

// locations returns those of an object that rules validate, in a fixed order.
func locations(o tree) (found []location) {
	for _, key := range []string{"spec", "status"} {
		if o[key] != nil {
			found = append(found, memberLocations(o, key, key)...)
		}
	}
	return found
}

func memberLocations(o tree, key, path string) []location {
	value := o[key]
	at := location{path, value, o, key, func(n any) { o[key] = n }, func() { delete(o, key) }}
	return append([]location{at}, locationsWithin(value, path, at.set)...)
}

func locationsWithin(value any, path string, replace func(any)) (found []location) {
	switch v := value.(type) {
	case tree:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			found = append(found, memberLocations(v, key, path+"."+strings.TrimSuffix(key, duplicate))...)
		}
	case []any:
		for i, item := range v {
			set := func(n any) { v[i] = n }
			found = append(found, location{
				path:   path + ".*",
				value:  item,
				set:    set,
				remove: func() { replace(slices.Delete(slices.Clone(v), i, i+1)) },
			})
			found = append(found, locationsWithin(item, path+".*", set)...)
		}
	}
	return found
}
