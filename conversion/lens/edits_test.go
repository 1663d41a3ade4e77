package lens

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/test/objects"
)

// conversionDecode reads an object strictly as one of a version.
func conversionDecode(object []byte, version, kind string) (any, error) {
	into := typeOf(version, kind)
	d := json.NewDecoder(bytes.NewReader(object))
	d.DisallowUnknownFields()
	return into, d.Decode(into)
}

// edited is an object of the lens's version in which some parts are those of another object, as a client writes it.
func (c *lawCase) edited(object []byte, status bool) []byte {
	c.Helper()
	other := c.tree(c.do("down", c.Down, stored(c, c.Source, c.kind)))
	tree := c.tree(object)
	parts := [][]string{{"metadata", "labels"}, {"metadata", "annotations"}, {"metadata", "finalizers"}, {"spec"}}
	switch {
	case status && !api.IsNative(c.version): // what an allocation says depends on all of it
		parts = [][]string{{"status"}, {"status", "reservedFor"}}
	case status:
		parts = [][]string{{"status", "allocation"}, {"status", "reservedFor"}, {"status", "devices"}, {"status", "allocation", "nodeSelector"}}
	case c.kind == kindSlice:
		parts = append(parts[:3], []string{"spec", "pool"}, []string{"spec", "nodeName"}, []string{"spec", "allNodes"}, []string{"spec", "devices"}, []string{"spec", "sharedCounters"})
	case c.kind == api.KindClaim && api.IsNative(c.version):
		parts = append(parts, []string{"spec", "devices", "requests"}, []string{"spec", "devices", "config"})
	}
	for _, path := range parts {
		switch c.IntN(4) {
		case 0:
			replace(tree, other, path)
		case 1:
			c.shuffle(tree, path)
		}
	}
	return written(c, tree)
}

func (c *lawCase) tree(object []byte) map[string]any {
	c.Helper()
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	var tree map[string]any
	if err := d.Decode(&tree); err != nil {
		c.Fatal(err)
	}
	return tree
}

// replace a part by that of another object, which may have none.
func replace(in, from map[string]any, path []string) {
	name := path[0]
	if len(path) == 1 {
		if from[name] == nil {
			delete(in, name)
		} else {
			in[name] = from[name]
		}
		return
	}
	into, ok := in[name].(map[string]any)
	if !ok {
		return
	}
	other, _ := from[name].(map[string]any)
	replace(into, other, path[1:])
}

// shuffle the items of a list, and leave one out.
func (c *lawCase) shuffle(in map[string]any, path []string) {
	for _, name := range path[:len(path)-1] {
		in, _ = in[name].(map[string]any)
	}
	items, ok := in[path[len(path)-1]].([]any)
	if !ok || len(items) == 0 {
		return
	}
	c.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	in[path[len(path)-1]] = items[1:]
}

// aFragmentGainsNothing: it may be any part of an object. What comes up and goes down again has no path that it did not have, but for
// what the version shows of every object.
func aFragmentGainsNothing(c *lawCase) {
	tree := c.tree(c.shown)
	thin(c.Source, tree)
	tree["metadata"] = map[string]any{"name": "a"}
	fragment := written(c, tree)
	up := c.do("fragment", c.Fragment, fragment)
	back, _, err := conversion.JSON(up, c.version, conversion.Options{Bare: true, Fragment: true, OmitDefaults: true})
	if api.IsNative(c.version) {
		back, err = c.Down(nil, up)
	}
	if err != nil {
		c.Fatal(err)
	}
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
	s := kjson.New(object)
	var walk func(path string)
	walk = func(path string) {
		has[path] = true
		switch {
		case s.Is('{'):
			for name := range s.Members() {
				walk(kjson.JoinPath(path, name))
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
