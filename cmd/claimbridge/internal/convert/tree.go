package convert

import (
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// tree of a JSON value, as far as shapes are looked for in it: names, texts, and what is below. It costs a few times what the object
// does, which MaxDocument bounds, and only objects that speak of resource.k8s.io are looked at that way.
type tree struct {
	path     string
	name     string // of a member
	text     string // of a string
	null     bool
	children []*tree
	// begin and end of an object in the text.
	begin, end int
}

func treeOf(object []byte) *tree {
	s := kjson.New(object)
	t := &tree{}
	t.read(&s)
	return t
}

// read what comes next. It was read before, so it is JSON, and no deeper than an object may be.
func (t *tree) read(s *kjson.Scanner) {
	switch {
	case s.Is('"'):
		t.text = strings.Clone(kjson.StringOf(s.Value())) // a finding may hold it for longer than there is the object
	case s.Is('{'):
		t.begin = s.Begin()
		for name := range s.Members() {
			name = strings.Clone(name)
			t.child(s, &tree{name: name, path: kjson.JoinPath(t.path, name)})
		}
		t.end = s.End()
	case s.Is('['):
		for i := range s.Elements() {
			t.child(s, &tree{path: fmt.Sprintf("%s[%d]", t.path, i)})
		}
	default:
		t.null = s.Is('n')
		s.Skip()
	}
}

func (t *tree) child(s *kjson.Scanner, c *tree) {
	c.read(s)
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
