package yamldoc

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Locate a field of the document, or of an item of the list that it is, by its path: line and
// column in the file, from 1. Where the path leads no further it is the place that was reached.
// Both are 0 for JSON, whose places are not kept.
func (d *Document) Locate(items []int, path string) (line, column int) {
	if d.Node == nil {
		return 0, 0
	}
	var at *yaml.Node
	within := d.Node
	for _, i := range items {
		list := lookup(within, "items")
		if list == nil || list.Kind != yaml.SequenceNode || i >= len(list.Content) {
			return 0, 0
		}
		at, within = list.Content[i], resolveAlias(list.Content[i])
	}
	for path != "" && within != nil {
		node, next, rest := resolveStep(within, path)
		if node == nil {
			break
		}
		at, within, path = node, next, rest
	}
	if at == nil {
		return 0, 0
	}
	return at.Line + d.FirstLine - 1, at.Column
}

// step into a mapping or sequence by the beginning of a path: where that stands, its value, and the
// rest of the path. Names may have dots and brackets in them, so the longest one that is there
// counts.
func resolveStep(n *yaml.Node, path string) (node, value *yaml.Node, rest string) {
	switch n.Kind {
	case yaml.SequenceNode:
		text, rest, closed := strings.Cut(strings.TrimPrefix(path, "["), "]")
		i, err := strconv.Atoi(text)
		if !closed || path[0] != '[' || err != nil || i < 0 || i >= len(n.Content) {
			return nil, nil, ""
		}
		return n.Content[i], resolveAlias(n.Content[i]), strings.TrimPrefix(rest, ".")
	case yaml.MappingNode:
		longest := -1
		for i := 0; i+1 < len(n.Content); i += 2 {
			for _, name := range []string{n.Content[i].Value, "[" + n.Content[i].Value + "]"} {
				after, found := strings.CutPrefix(path, name)
				if found && len(name) > longest && (after == "" || after[0] == '.' || after[0] == '[') {
					longest = len(name)
					node, value, rest = n.Content[i], resolveAlias(n.Content[i+1]), strings.TrimPrefix(after, ".")
				}
			}
		}
	}
	return node, value, rest
}

// target of an alias, and what is none itself.
func resolveAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// lookup a key in a mapping.
func lookup(n *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Kind == yaml.ScalarNode && n.Content[i].Value == name {
			return resolveAlias(n.Content[i+1])
		}
	}
	return nil
}

// scalar string under a key, or "".
func stringField(n *yaml.Node, name string) string {
	if v := lookup(n, name); v != nil && v.Kind == yaml.ScalarNode && tagOf(v) == tagString {
		return v.Value
	}
	return ""
}
