package manifest

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// maxDepth of nested values: what encoding/json and the API server's decoder take.
const maxDepth = 10000

// toJSON writes a YAML node as JSON. Aliases and merge keys are written out; what a few lines of them can grow to is
// bounded by MaxDocument. first is the line in the file where line 1 of the node is.
func toJSON(n *yaml.Node, first int, strict, anyKey bool) ([]byte, error) {
	e := encoder{first: first, strict: strict, anyKey: anyKey, within: map[*yaml.Node]bool{}}
	if err := e.value(n, 0); err != nil {
		return nil, err
	}
	return e.out, nil
}

type encoder struct {
	out            []byte
	first          int
	strict, anyKey bool
	within         map[*yaml.Node]bool // aliases that are being written out
	merged         int                 // merge keys that were followed, and members that they brought in
}

func (e *encoder) errorf(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("line %d: %w", n.Line+e.first-1, fmt.Errorf(format, args...))
}

func (e *encoder) value(n *yaml.Node, depth int) (err error) {
	if depth > maxDepth {
		return e.errorf(n, "is nested more than %d deep", maxDepth)
	}
	if len(e.out) > MaxDocument {
		return fmt.Errorf("is bigger than %d MiB with its aliases written out", MaxDocument>>20)
	}
	switch n.Kind {
	case yaml.ScalarNode:
		if e.out, err = appendScalar(e.out, n); err != nil {
			return e.errorf(n, "a value %w", err)
		}
		return nil
	case yaml.AliasNode:
		if e.within[n.Alias] {
			return e.errorf(n, "alias *%s is within what it stands for", n.Value)
		}
		e.within[n.Alias] = true
		err = e.value(n.Alias, depth+1)
		delete(e.within, n.Alias)
		return err
	case yaml.SequenceNode:
		e.out = append(e.out, '[')
		for i, item := range n.Content {
			if i > 0 {
				e.out = append(e.out, ',')
			}
			if err := e.value(item, depth+1); err != nil {
				return err
			}
		}
		e.out = append(e.out, ']')
		return nil
	case yaml.MappingNode:
		return e.mapping(n, depth)
	}
	return e.errorf(n, "is neither a mapping, a sequence nor a scalar")
}

// lookup a key in a mapping.
func lookup(n *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Kind == yaml.ScalarNode && n.Content[i].Value == name {
			if v := n.Content[i+1]; v.Kind == yaml.AliasNode {
				return v.Alias
			}
			return n.Content[i+1]
		}
	}
	return nil
}

// scalar string under a key, or "".
func scalar(n *yaml.Node, name string) string {
	if v := lookup(n, name); v != nil && v.Kind == yaml.ScalarNode && tagOf(v) == tagString {
		return v.Value
	}
	return ""
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && tagOf(n) == tagNull }
