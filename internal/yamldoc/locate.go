package yamldoc

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Locate returns the line and column in the file, from 1, of a field of the document, or of an item in its lists. If
// the path has no such field, they are those of the last field on the path that exists. Both are 0 for JSON, whose
// positions are not kept.
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

// resolveStep resolves the beginning of a path in a mapping or sequence: it returns the node of the key or item, its
// value, and the rest of the path. Names may contain dots and brackets, so the longest existing name is used.
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

// resolveAlias returns the node of an alias, and other nodes unchanged.
func resolveAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// lookup returns the value of a key in a mapping, or nil.
func lookup(n *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Kind == yaml.ScalarNode && n.Content[i].Value == name {
			return resolveAlias(n.Content[i+1])
		}
	}
	return nil
}

// stringField returns the string under a key, or "".
func stringField(n *yaml.Node, name string) string {
	if v := lookup(n, name); v != nil && v.Kind == yaml.ScalarNode && tagOf(v) == tagString {
		return v.Value
	}
	return ""
}
