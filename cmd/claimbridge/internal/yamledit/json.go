package yamledit

import (
	"bytes"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// isJSON reports whether a text is JSON: a brace, and then a quoted name or the closing brace.
func isJSON(text []byte) bool {
	text, is := bytes.CutPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{"))
	text = bytes.TrimLeft(text, " \t\r\n")
	return is && len(text) > 0 && (text[0] == '"' || text[0] == '}')
}

// readJSON finds the places of a JSON object.
func readJSON(text []byte) (*source, error) {
	s, err := newSource(string(text), 1)
	if err == nil {
		s.json = true
		s.root, err = s.readObject(text)
	}
	return s, err
}

// readObject reads JSON, of this text, or of what it should say.
func (s *source) readObject(text []byte) (*node, error) {
	r := jsonReader{source: s, data: text, scan: objectjson.NewScanner(text)}
	root := r.value(nil)
	switch {
	case r.nodes > maxNodes:
		return nil, errTooMany
	case !r.scan.AtEnd() || root.kind != mapping && root.kind != sequence:
		return nil, notInPlace(0, "it is not JSON")
	}
	return root, nil
}

type jsonReader struct {
	*source
	data  []byte
	scan  objectjson.Scanner
	nodes int
}

func (r *jsonReader) value(of *entry) *node {
	n := &node{of: of, flow: true, begin: r.scan.Begin()}
	r.nodes++
	switch {
	case r.scan.Is('{'):
		n.kind = mapping
		for more := r.scan.FirstMember(); more && r.nodes <= maxNodes; more = r.scan.NextMember() {
			begin, end := r.scan.Name().Begin-1, r.scan.Name().End+1
			r.entry(n, objectjson.StringOf(r.data[begin:end]), begin, end)
		}
	case r.scan.Is('['):
		n.kind = sequence
		for more := r.scan.FirstElement(); more && r.nodes <= maxNodes; more = r.scan.NextElement() {
			r.entry(n, "", r.scan.Begin(), r.scan.Begin())
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
	r.sum(n)
	return n
}

func (r *jsonReader) entry(n *node, key string, begin, keyEnd int) {
	e := &entry{key: key, keyBegin: begin, keyEnd: keyEnd, begin: begin, in: n}
	e.value = r.value(e)
	e.end = e.value.end
	n.entries = append(n.entries, e)
}
