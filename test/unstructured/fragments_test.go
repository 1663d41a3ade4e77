package unstructured

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/objects"
)

// decodeStrictly returns an error if an object is not valid JSON of a version, or has unknown fields.
func decodeStrictly(object []byte, version, kind string) error {
	d := json.NewDecoder(bytes.NewReader(object))
	d.DisallowUnknownFields()
	return d.Decode(typeOf(version, kind))
}

func (c *propertyCase) tree(object []byte) map[string]any {
	c.Helper()
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	var tree map[string]any
	if err := d.Decode(&tree); err != nil {
		c.Fatal(err)
	}
	return tree
}

// fragmentsGainNoFields checks that a part of an object, as in an apply request, has no other paths after a round trip,
// except for the fields that the version always has.
func fragmentsGainNoFields(c *propertyCase) {
	tree := c.tree(c.converted)
	thin(c.Source, tree)
	tree["metadata"] = map[string]any{"name": "a"}
	fragment := written(c, tree)
	up := c.do("write", c.write, fragment)
	back := c.do("read", c.read, up)
	had := map[string]bool{}
	paths(fragment, had)
	has := map[string]bool{}
	paths(back, has)
	for path := range has {
		if had[path] || strings.HasSuffix(path, ".deviceClassName") || strings.HasSuffix(path, ".basic") {
			continue
		}
		c.Errorf("the fragment gained %s:\n%s\n%s\n%s", path, clip(fragment), clip(up), clip(back))
	}
}

// paths of all values of an object, elements of a list being [].
func paths(object []byte, has map[string]bool) {
	s := objectjson.NewScanner(object)
	var walk func(path string)
	walk = func(path string) {
		has[path] = true
		switch {
		case s.Is('{'):
			for name := range s.Members() {
				walk(objectjson.JoinPath(path, name))
			}
		case s.Is('['):
			for range s.Elements() {
				walk(path + "[]")
			}
		default:
			s.Skip()
		}
	}
	walk("")
}

// thin leaves out members at random, never items of lists: lists are atomic.
func thin(s objects.Source, value any) {
	object, ok := value.(map[string]any)
	if !ok {
		return
	}
	for name, member := range object {
		if s.IntN(4) == 0 && name != "apiVersion" && name != "kind" {
			delete(object, name)
			continue
		}
		thin(s, member)
	}
}

// spaced is an object with white space in it.
func spaced(object []byte) []byte {
	var b bytes.Buffer
	if err := json.Indent(&b, object, "", "  "); err != nil {
		return object
	}
	return append(b.Bytes(), '\n')
}
