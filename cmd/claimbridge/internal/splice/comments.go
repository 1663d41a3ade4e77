package splice

import (
	"bytes"

	"go.yaml.in/yaml/v3"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
)

// commentsOf a document, in their order. It goes from value to value as the reader of a source does, and asks only where each
// ends, since a # in a value is no comment.
func commentsOf(d *manifest.Document) (found []string, err error) {
	text := d.Text()
	if bytes.IndexByte(text, '#') < 0 {
		return nil, nil
	}
	if text[len(text)-1] != '\n' {
		text = append(bytes.Clone(text), '\n')
	}
	lines, err := cut(text)
	if err != nil {
		return nil, err
	}
	b := yamlReader{source: &source{text: text, first: d.FirstLine(), lines: lines}, line: 1, col: 1}
	if err := b.pass(d.Node(), -1); err != nil {
		return nil, err
	}
	b.skip(len(text))
	for _, c := range b.comments {
		found = append(found, string(text[c.begin:c.end]))
	}
	return found, nil
}

// pass over a value that is in a block at a column, -1 at the top.
func (b *yamlReader) pass(n *yaml.Node, indent int) error {
	begin, err := b.seek(n.Line, n.Column)
	if err != nil {
		return err
	}
	if begin < b.done { // an empty value is where the next thing is, or the last one was
		if n.Kind != yaml.ScalarNode || n.Value != "" {
			return b.refuse(begin, "values overlap")
		}
		begin = b.done
	}
	if n.Kind == yaml.AliasNode {
		b.skip(begin)
		b.done = begin + 1 + len(n.Value)
		return nil
	}
	after, at := b.properties(begin)
	b.skip(after)
	if n.Kind == yaml.ScalarNode {
		_, end, err := b.bounds(n, after, at, indent)
		b.done = end
		return err
	}
	for i, inner := range n.Content {
		within := indent
		switch {
		case n.Style&yaml.FlowStyle != 0:
		case n.Kind == yaml.MappingNode:
			within = n.Content[i-i%2].Column - 1
		default:
			dash := b.blanks(b.done)
			b.skip(dash)
			b.done = dash + 1
			within = dash - b.lines.begins[b.lines.at(dash)]
		}
		if err := b.pass(inner, within); err != nil {
			return err
		}
	}
	return nil
}
