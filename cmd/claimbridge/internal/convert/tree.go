package convert

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// tree of a JSON value, as far as shapes are looked for in it: names, texts, and what is below. It costs a few times what the object
// does, which MaxDocument bounds, and only objects that speak of resource.k8s.io are looked at that way.
type tree struct {
	path     string
	name     string // of a member
	text     string // of a string
	children []*tree
	// begin and end of an object in the text.
	begin, end int
}

func treeOf(object []byte) *tree {
	dec := jsontext.NewDecoder(bytes.NewReader(object), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	t := &tree{}
	t.read(dec)
	return t
}

// read what comes next. It was read before, so it is JSON, and no deeper than an object may be.
func (t *tree) read(dec *jsontext.Decoder) {
	token, err := dec.ReadToken()
	if err != nil {
		return
	}
	switch token.Kind() {
	case '"':
		t.text = token.String()
	case '{':
		t.begin = int(dec.InputOffset()) - 1
		for dec.PeekKind() != '}' {
			name, err := dec.ReadToken()
			if err != nil {
				return
			}
			t.child(dec, &tree{name: name.String(), path: kjson.JoinPath(t.path, name.String())})
		}
		_, _ = dec.ReadToken()
		t.end = int(dec.InputOffset())
	case '[':
		for i := 0; dec.PeekKind() != ']'; i++ {
			if dec.PeekKind() == 0 {
				return
			}
			t.child(dec, &tree{path: fmt.Sprintf("%s[%d]", t.path, i)})
		}
		_, _ = dec.ReadToken()
	}
}

func (t *tree) child(dec *jsontext.Decoder, c *tree) {
	c.read(dec)
	t.children = append(t.children, c)
}

// walk over the tree, in the order of the text, into what is to be looked at further.
func (t *tree) walk(look func(*tree) (further bool)) {
	if !look(t) {
		return
	}
	for _, c := range t.children {
		c.walk(look)
	}
}

// member of an object, or nil.
func (t *tree) member(name string) *tree {
	for _, c := range t.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

// textOf a member, empty when it has none.
func (t *tree) textOf(name string) string {
	if m := t.member(name); m != nil {
		return m.text
	}
	return ""
}

// texts of a member that is a list of them.
func (t *tree) texts(name string) (all []string) {
	if m := t.member(name); m != nil {
		for _, c := range m.children {
			all = append(all, c.text)
		}
	}
	return all
}
