package convert

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// tree of a JSON value, as far as shapes are looked for in it: names, texts, and what is below. It costs a few times what the object
// does, which MaxDocument bounds, and only objects that may go with claims are looked at that way. What is not there is nil, and has no
// members.
type tree struct {
	path     string
	name     string // of a member
	text     string // of a string
	is       byte   // what its text begins with: {, [, " or another letter of JSON
	children []*tree
	// begin and end of it in the text.
	begin, end int
}

func treeOf(object []byte) *tree {
	s := kjson.New(object)
	t := &tree{}
	t.read(object, &s)
	return t
}

// read what comes next. It was read before, so it is JSON, and no deeper than an object may be.
func (t *tree) read(object []byte, s *kjson.Scanner) {
	if t.begin = s.Begin(); !s.Failed() && t.begin < len(object) {
		t.is = object[t.begin]
	}
	child := func(c *tree) {
		c.read(object, s)
		t.children = append(t.children, c)
	}
	switch t.is {
	case '"':
		t.text = strings.Clone(kjson.StringOf(s.Value())) // a finding may hold it for longer than there is the object
	case '{':
		for name := range s.Members() {
			name = strings.Clone(name)
			child(&tree{name: name, path: kjson.JoinPath(t.path, name)})
		}
	case '[':
		for i := range s.Elements() {
			child(&tree{path: fmt.Sprintf("%s[%d]", t.path, i)})
		}
	default:
		s.Skip()
	}
	t.end = s.End()
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

// member of an object, or of one in it, or nil.
func (t *tree) member(path ...string) *tree {
	for _, name := range path {
		if t == nil {
			return nil
		}
		i := slices.IndexFunc(t.children, func(c *tree) bool { return c.name == name })
		if i < 0 {
			return nil
		}
		t = t.children[i]
	}
	return t
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

// specOf a claim is that of the claims to be made where it is a template.
func specOf(claim *tree, kind string) *tree {
	if kind == api.KindTemplate {
		return claim.member("spec", "spec")
	}
	return claim.member("spec")
}
