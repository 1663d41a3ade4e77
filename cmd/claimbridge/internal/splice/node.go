package splice

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// node reads a value that is in a block at a column, -1 at the top.
func (b *yamlReader) node(n *yaml.Node, parent *node, indent int) (*node, error) {
	if b.nodes++; b.nodes > maxNodes {
		return nil, &NotInPlaceError{Reason: fmt.Sprintf("it has more than %d values", maxNodes)}
	}
	begin, err := b.seek(n.Line, n.Column)
	if err != nil {
		return nil, err
	}
	if begin < b.done { // an empty value is where the next thing is, or the last one was
		if n.Kind != yaml.ScalarNode || n.Value != "" {
			return nil, b.refuse(begin, "values overlap")
		}
		begin = b.done
	}
	out := &node{parent: parent, line: b.lineOf(begin), properties: -1}
	if n.Anchor != "" {
		b.anchors[n] = out
	}
	if n.Kind == yaml.AliasNode {
		return out, b.alias(out, n, begin)
	}
	after, at := b.properties(begin)
	if after > begin {
		out.properties = begin
	}
	if n.Kind == yaml.ScalarNode || n.Style&yaml.FlowStyle != 0 || after > begin {
		b.skip(after) // else what is above the first entry is looked at with it
	}
	switch n.Kind {
	case yaml.ScalarNode:
		return out, b.scalar(out, n, after, at, indent)
	case yaml.MappingNode, yaml.SequenceNode:
		out.kind, out.flow = mapping, n.Style&yaml.FlowStyle != 0
		if n.Kind == yaml.SequenceNode {
			out.kind = sequence
		}
		out.begin = at
		if out.flow {
			return out, b.flow(out, n, at, indent)
		}
		return out, b.block(out, n)
	}
	return nil, b.refuse(begin, "there is a value of an unknown kind")
}

func (b *yamlReader) alias(out *node, n *yaml.Node, begin int) error {
	b.skip(begin)
	end := b.endOf(aliases, begin)
	if end-begin != len(n.Value)+1 {
		return b.refuse(begin, "the end of an alias is not found")
	}
	out.kind, out.begin, out.end, b.done = alias, begin, end, end
	target := b.anchors[n.Alias]
	if target == nil {
		return b.refuse(begin, "an alias stands for what is not before it")
	}
	if target.end == 0 {
		return b.refuse(begin, "an alias stands in what it stands for")
	}
	out.hash, out.stands = target.hash, target
	return nil
}

// withProperties gives where a value begins, its anchor and tag included.
func (n *node) withProperties() int {
	if n.properties >= 0 {
		return n.properties
	}
	return n.begin
}

// close says why nothing in a collection can be changed.
func (n *node) close(why string) {
	if n.closed == "" {
		n.closed = why
	}
}
