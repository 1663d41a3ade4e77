package splice

import (
	"go.yaml.in/yaml/v3"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
)

// flow reads a mapping or a sequence in brackets.
func (b *yamlReader) flow(out *node, n *yaml.Node, at, indent int) error {
	closing := byte('}')
	if out.kind == sequence {
		closing = ']'
	}
	bare := at >= len(b.text) || b.text[at] != closing-2 // a pair in a sequence needs no brackets
	if bare {
		out.closed = "a pair in a sequence has no braces"
	} else {
		b.skip(at)
		b.done = at + 1
	}
	if err := b.entries(out, n, indent); err != nil {
		return err
	}
	if bare {
		out.end = b.done
		return nil
	}
	end := b.blanks(b.done)
	if end < len(b.text) && b.text[end] == ',' {
		end = b.blanks(end + 1)
	}
	if end >= len(b.text) || b.text[end] != closing {
		return b.refuse(at, "the end of brackets is not found")
	}
	b.skip(end)
	b.done, out.end = end+1, end+1
	return nil
}

// entries of a collection in flow style.
func (b *yamlReader) entries(out *node, n *yaml.Node, indent int) error {
	if out.kind == sequence {
		for _, item := range n.Content {
			value, err := b.node(item, out, indent)
			if err != nil {
				return err
			}
			begin := value.withProperties()
			out.entries = append(out.entries, &entry{keyBegin: begin, keyEnd: begin, begin: begin, end: b.done, value: value, in: out})
		}
		b.finish(out)
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		e, err := b.pair(out, n.Content[i], n.Content[i+1], indent)
		if err != nil {
			return err
		}
		e.begin, e.end = e.keyBegin, b.done
	}
	b.finish(out)
	return nil
}

// pair reads a key and its value.
func (b *yamlReader) pair(out *node, key, value *yaml.Node, indent int) (*entry, error) {
	name, err := b.node(key, out, indent)
	if err != nil {
		return nil, err
	}
	e := &entry{key: key.Value, keyEnd: b.done, in: out}
	e.keyBegin = name.withProperties()
	target := key
	if key.Kind == yaml.AliasNode {
		target = key.Alias
		e.key = target.Value
	}
	switch {
	case target.Kind != yaml.ScalarNode || name.kind == scalar && !name.isText:
		out.close("a key is not a string")
	case manifest.IsMergeKey(key):
		e.merge = true
	}
	at := b.done
	for at < len(b.text) && (b.text[at] == ' ' || b.text[at] == '\t' || out.flow && breakAt(b.text, at) > 0) {
		at++
	}
	if at < len(b.text) && b.text[at] == ':' {
		b.skip(at)
		b.done = at + 1
	} else {
		out.close("a key has no colon behind it on its line")
	}
	if e.value, err = b.node(value, out, indent); err != nil {
		return nil, err
	}
	out.entries = append(out.entries, e)
	return e, nil
}
