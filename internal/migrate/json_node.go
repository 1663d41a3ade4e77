package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// jsonNode is a JSON value whose names, strings and structure are searched. Each node needs some hundred bytes, even if
// its text is short, and MaxDocument limits their number. So only objects that may be related to claims are parsed. A
// nil node stands for an absent value, and has no members.
type jsonNode struct {
	parent   *jsonNode // nil for the root
	name     string    // if the value is a member
	index    int       // if the value is an item
	text     string    // if the value is a string
	kind     jsonKind
	children []*jsonNode
	// begin and end are offsets in the text of the root.
	begin, end int
}

// jsonKind is the type of a JSON value. The constants are the first characters of their texts.
type jsonKind byte

const (
	jsonObject jsonKind = '{'
	jsonArray  jsonKind = '['
	jsonString jsonKind = '"'
	jsonNull   jsonKind = 'n'
	jsonTrue   jsonKind = 't'
	jsonFalse  jsonKind = 'f'
)

// parseNode returns the root of a JSON value.
func parseNode(object []byte) *jsonNode {
	s := objectjson.NewScanner(object)
	t := &jsonNode{}
	t.read(object, &s)
	return t
}

// read parses the next value. The object was decoded before, so it is valid JSON, and no deeper than an object may be.
func (t *jsonNode) read(object []byte, s *objectjson.Scanner) {
	t.begin = s.Begin()
	if !s.Failed() && t.begin < len(object) {
		t.kind = jsonKind(object[t.begin])
	}
	child := func(c *jsonNode) {
		c.read(object, s)
		t.children = append(t.children, c)
	}
	switch t.kind {
	case jsonString:
		t.text = strings.Clone(objectjson.StringOf(s.Value())) // a finding may outlive the object
	case jsonObject:
		for name := range s.Members() {
			if name == "managedFields" { // API servers write them, and they have names of fields only
				s.Skip()
				continue
			}
			child(&jsonNode{parent: t, name: strings.Clone(name)})
		}
	case jsonArray:
		for i := range s.Elements() {
			child(&jsonNode{parent: t, index: i})
		}
	default:
		s.Skip()
	}
	t.end = s.End()
}

const (
	// maxPath limits the path of a value in bytes, because each finding has one. The paths of API fields are shorter.
	maxPath         = 4096
	truncatedPrefix = "..." // prefix of a path that was cut
)

// path returns the path of a value from the root. A path that exceeds maxPath is cut, and does not identify the value.
func (t *jsonNode) path() (path string) {
	for ; t.parent != nil; t = t.parent {
		step := t.name
		if t.parent.kind == jsonArray {
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
func (t *jsonNode) isIn(names ...string) bool {
	for _, name := range names {
		t = t.parent
		if t == nil || t.name != name {
			return false
		}
	}
	return true
}

// walk calls visit for each value in the order of the text, and skips what is below a value if visit returns false.
func (t *jsonNode) walk(visit func(*jsonNode) (further bool)) {
	if !visit(t) {
		return
	}
	for _, c := range t.children {
		c.walk(visit)
	}
}

// member returns a member of an object, by the names on the way to it, or nil.
func (t *jsonNode) member(path ...string) *jsonNode {
	for _, name := range path {
		if t == nil {
			return nil
		}
		i := slices.IndexFunc(t.children, func(c *jsonNode) bool { return c.name == name })
		if i < 0 {
			return nil
		}
		t = t.children[i]
	}
	return t
}

// textOf returns the string of a member, or "".
func (t *jsonNode) textOf(name string) string {
	if m := t.member(name); m != nil {
		return m.text
	}
	return ""
}

// texts returns the strings of a member that is a list.
func (t *jsonNode) texts(name string) (all []string) {
	if m := t.member(name); m != nil {
		for _, c := range m.children {
			all = append(all, c.text)
		}
	}
	return all
}

// specOf returns the spec of a claim, or of the claims that a template creates.
func specOf(claim *jsonNode, kind string) *jsonNode {
	if kind == api.KindTemplate {
		return claim.member("spec", "spec")
	}
	return claim.member("spec")
}
