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

// tree is a JSON object, numbers as they were written.
type tree = map[string]any

// writeTree is one write, its objects open for changes.
type writeTree struct {
	operation   validation.Operation
	object, old tree
	// indented says that the new object is sent with white space, which JSON ignores and opaque parameters keep.
	indented bool
}

// Marks for what a map cannot hold: at the end of a key, a second member of the same name; in a
// text, a byte that is not UTF-8.
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
	// A webhook is asked after the API server has validated metadata, and what it keeps has been restored.
	w.object["metadata"] = w.old["metadata"]
	r := validation.Request{Operation: w.operation, Object: render(t, w.object, w.indented)}
	r.OldObject = render(t, w.old, false)
	return r
}

// place is one value somewhere in an object: a member of parent or, with parent nil, an item of a list.
type place struct {
	path   string // with * for an index
	value  any
	parent tree
	key    string
	set    func(any)
	remove func()
}

// places of an object that rules look at, in an order that does not change.
func places(o tree) (found []place) {
	for _, key := range []string{"spec", "status"} {
		if o[key] != nil {
			found = append(found, memberPlaces(o, key, key)...)
		}
	}
	return found
}

func memberPlaces(o tree, key, path string) []place {
	value := o[key]
	at := place{path, value, o, key, func(n any) { o[key] = n }, func() { delete(o, key) }}
	return append([]place{at}, placesWithin(value, path, at.set)...)
}

func placesWithin(value any, path string, replace func(any)) (found []place) {
	switch v := value.(type) {
	case tree:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			found = append(found, memberPlaces(v, key, path+"."+strings.TrimSuffix(key, duplicate))...)
		}
	case []any:
		for i, item := range v {
			set := func(n any) { v[i] = n }
			found = append(found, place{
				path:   path + ".*",
				value:  item,
				set:    set,
				remove: func() { replace(slices.Delete(slices.Clone(v), i, i+1)) },
			})
			found = append(found, placesWithin(item, path+".*", set)...)
		}
	}
	return found
}
