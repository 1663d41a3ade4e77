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
	fragment := encode(c, tree)
	inServedVersion := c.do("write", c.write, fragment)
	roundTripped := c.do("read", c.read, inServedVersion)
	pathsBefore := pathsOf(fragment)
	for path := range pathsOf(roundTripped) {
		if pathsBefore[path] || strings.HasSuffix(path, ".deviceClassName") || strings.HasSuffix(path, ".basic") {
			continue
		}
		c.Errorf("the fragment gained %s:\n%s\n%s\n%s", path, clip(fragment), clip(inServedVersion), clip(roundTripped))
	}
}

// pathsOf returns the paths of all values of an object. The path of a list item ends with [].
func pathsOf(object []byte) map[string]bool {
	paths := map[string]bool{}
	s := objectjson.NewScanner(object)
	var walk func(path string)
	walk = func(path string) {
		paths[path] = true
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
	return paths
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

// indented returns an object with line breaks and indentation.
func indented(object []byte) []byte {
	var b bytes.Buffer
	if err := json.Indent(&b, object, "", "  "); err != nil {
		return object
	}
	return append(b.Bytes(), '\n')
}
