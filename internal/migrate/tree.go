package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// tree is a JSON value whose names, strings and structure are searched. Each value costs some hundred bytes, however
// short its text, which MaxDocument limits. Only objects that may be related to claims are parsed to trees. A nil tree
// stands for an absent value, and has no members.
type tree struct {
	parent   *tree  // parent
	name     string // if the value is a member
	index    int    // if the value is an item
	text     string // if the value is a string
	kind     byte   // what its text begins with: {, [, " or another letter of JSON
	children []*tree
	// begin and end are offsets in the text.
	begin, end int
}

func treeOf(object []byte) *tree {
	s := objectjson.NewScanner(object)
	t := &tree{}
	t.read(object, &s)
	return t
}

// read parses the next value. The object was decoded before, so it is valid JSON, and no deeper than an object may be.
func (t *tree) read(object []byte, s *objectjson.Scanner) {
	t.begin = s.Begin()
	if !s.Failed() && t.begin < len(object) {
		t.kind = object[t.begin]
	}
	child := func(c *tree) {
		c.read(object, s)
		t.children = append(t.children, c)
	}
	switch t.kind {
	case '"':
		t.text = strings.Clone(objectjson.StringOf(s.Value())) // a finding may outlive the object
	case '{':
		for name := range s.Members() {
			if name == "managedFields" { // API servers write them, and they have names of fields only
				s.Skip()
				continue
			}
			child(&tree{parent: t, name: strings.Clone(name)})
		}
	case '[':
		for i := range s.Elements() {
			child(&tree{parent: t, index: i})
		}
	default:
		s.Skip()
	}
	t.end = s.End()
}

// maxPath in bytes of the path of a value: paths of objects are shorter, and each finding has one.
const (
	maxPath         = 4096
	truncatedPrefix = "..." // prefix of a path that was cut
)

// path returns the path of a value from the root. A longer path than any object has is cut, and names nothing.
func (t *tree) path() (path string) {
	for ; t.parent != nil; t = t.parent {
		step := t.name
		if t.parent.kind == '[' {
			step = fmt.Sprintf("[%d]", t.index)
		}
		if path = objectjson.JoinPath(step, path); len(path) > maxPath {
			return truncatedPrefix + strings.ToValidUTF8(path[len(path)-maxPath:], "")
		}
	}
	return path
}

// isIn reports whether the value is in collections with these names, the innermost one first. The name of an item of a
// list is empty.
func (t *tree) isIn(names ...string) bool {
	for _, name := range names {
		t = t.parent
		if t == nil || t.name != name {
			return false
		}
	}
	return true
}

// walk calls visit for each value in the order of the text, and skips what is below a value if visit returns false.
func (t *tree) walk(visit func(*tree) (further bool)) {
	if !visit(t) {
		return
	}
	for _, c := range t.children {
		c.walk(visit)
	}
}

// member returns a member of an object, by the names on the way to it, or nil.
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

// textOf returns the string of a member, or "".
func (t *tree) textOf(name string) string {
	if m := t.member(name); m != nil {
		return m.text
	}
	return ""
}

// texts returns the strings of a member that is a list.
func (t *tree) texts(name string) (all []string) {
	if m := t.member(name); m != nil {
		for _, c := range m.children {
			all = append(all, c.text)
		}
	}
	return all
}

// specOf returns the spec of a claim, or of the claims that a template creates.
func specOf(claim *tree, kind string) *tree {
	if kind == api.KindTemplate {
		return claim.member("spec", "spec")
	}
	return claim.member("spec")
}
