package splice

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

var errNotJSON = errors.New("it is not JSON")

// isJSON reports whether a text is JSON: a brace, and then a quoted name or the closing brace.
func isJSON(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) == 0 || text[0] != '{' {
		return false
	}
	text = bytes.TrimLeft(text[1:], " \t\r\n")
	return len(text) > 0 && (text[0] == '"' || text[0] == '}')
}

// readJSON finds the places of a JSON object.
func readJSON(text []byte) (*source, error) {
	lines, err := cut(text)
	if err != nil {
		return nil, err
	}
	s := &source{text: text, given: text, json: true, first: 1, lines: lines, seed: maphash.MakeSeed()}
	s.parse = func(text []byte) (result, error) {
		_, err := readJSON(text)
		return result{object: text}, err
	}
	r := jsonReader{source: s, scan: kjson.New(text)}
	root, err := r.value(nil)
	if err != nil {
		return nil, err
	}
	if !r.scan.AtEnd() || root.kind != mapping {
		return nil, &NotInPlaceError{Reason: errNotJSON.Error()}
	}
	s.root = root
	return s, nil
}

var errWanted = &NotInPlaceError{Reason: "what is wanted is not a JSON object"}

// readWanted reads what a text should say.
func readWanted(object []byte, seed maphash.Seed) (*node, error) {
	r := jsonReader{source: &source{text: object, seed: seed}, scan: kjson.New(object)}
	root, err := r.value(nil)
	if err != nil || !r.scan.AtEnd() || root.kind != mapping {
		return nil, errWanted
	}
	return root, nil
}

type jsonReader struct {
	*source
	scan  kjson.Scanner
	nodes int
}

func (r *jsonReader) value(parent *node) (*node, error) {
	if r.nodes++; r.nodes > maxNodes {
		return nil, &NotInPlaceError{Reason: fmt.Sprintf("it has more than %d values", maxNodes)}
	}
	n := &node{parent: parent, flow: true, begin: r.scan.Begin()}
	switch {
	case r.scan.Is('{'):
		n.kind = mapping
		for more := r.scan.FirstMember(); more; more = r.scan.NextMember() {
			name := r.scan.Name()
			e := &entry{key: kjson.StringOf(r.text[name.Begin-1 : name.End+1]), keyBegin: name.Begin - 1, keyEnd: name.End + 1, in: n}
			var err error
			if e.value, err = r.value(n); err != nil {
				return nil, err
			}
			e.begin, e.end = e.keyBegin, e.value.end
			n.entries = append(n.entries, e)
		}
		r.finish(n)
	case r.scan.Is('['):
		n.kind = sequence
		for more := r.scan.FirstElement(); more; more = r.scan.NextElement() {
			v, err := r.value(n)
			if err != nil {
				return nil, err
			}
			n.entries = append(n.entries, &entry{keyBegin: v.begin, keyEnd: v.begin, begin: v.begin, end: v.end, value: v, in: n})
		}
		r.finish(n)
	case r.scan.Is('"'):
		n.isText, n.quote = true, '"'
		if t := r.scan.String(); !r.scan.Failed() {
			n.text = kjson.StringOf(r.text[t.Begin-1 : t.End+1])
		}
	default:
		begin, end := r.scan.Skip()
		n.text = string(r.text[begin:end])
	}
	if n.kind == scalar {
		n.hash = sum(r.seed, n.isText, n.text)
	}
	n.end = r.scan.End()
	if r.scan.Failed() {
		return nil, &NotInPlaceError{Reason: errNotJSON.Error()}
	}
	return n, nil
}
