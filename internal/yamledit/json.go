package yamledit

import (
	"bytes"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// looksLikeJSON reports whether a text is JSON: a brace, and then a quoted name or the closing brace.
func looksLikeJSON(text []byte) bool {
	text, found := bytes.CutPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{"))
	text = bytes.TrimLeft(text, " \t\r\n")
	return found && len(text) > 0 && (text[0] == '"' || text[0] == '}')
}

// readJSON reads a JSON object with its positions.
func readJSON(text []byte) (*source, error) {
	s, err := newSource(string(text), 1)
	if err == nil {
		s.isJSON = true
		s.root, err = s.readObject(text)
	}
	return s, err
}

// readObject reads JSON: the text itself, or the desired object.
func (s *source) readObject(text []byte) (*node, error) {
	r := jsonReader{source: s, data: text, scan: objectjson.NewScanner(text)}
	root := r.readValue(nil)
	switch {
	case r.nodes > maxNodes:
		return nil, errTooManyNodes
	case !r.scan.AtEnd() || root.kind != mapping && root.kind != sequence:
		return nil, notEditable(0, "it is not JSON")
	}
	return root, nil
}

type jsonReader struct {
	*source
	data  []byte
	scan  objectjson.Scanner
	nodes int
}

// readValue reads the next value. owner is the entry that has it, or nil.
func (r *jsonReader) readValue(owner *entry) *node {
	n := &node{owner: owner, isFlow: true, begin: r.scan.Begin()}
	r.nodes++
	switch {
	case r.scan.Is('{'):
		n.kind = mapping
		for more := r.scan.FirstMember(); more && r.nodes <= maxNodes; more = r.scan.NextMember() {
			begin, end := r.scan.Name().Begin-1, r.scan.Name().End+1
			r.readEntry(n, objectjson.StringOf(r.data[begin:end]), begin, end)
		}
	case r.scan.Is('['):
		n.kind = sequence
		for more := r.scan.FirstElement(); more && r.nodes <= maxNodes; more = r.scan.NextElement() {
			r.readEntry(n, "", r.scan.Begin(), r.scan.Begin())
		}
	case r.scan.Is('"'):
		n.isText, n.quote = true, '"'
		if t := r.scan.ReadString(); !r.scan.Failed() {
			n.text = objectjson.StringOf(r.data[t.Begin-1 : t.End+1])
		}
	default:
		begin, end := r.scan.Skip()
		n.text = string(r.data[begin:end])
	}
	n.end = r.scan.End()
	r.setHash(n)
	return n
}

// readEntry reads the value of an entry of n, whose key was read.
func (r *jsonReader) readEntry(n *node, key string, begin, keyEnd int) {
	e := &entry{key: key, keyBegin: begin, keyEnd: keyEnd, begin: begin, parent: n}
	e.value = r.readValue(e)
	e.end = e.value.end
	n.entries = append(n.entries, e)
}
