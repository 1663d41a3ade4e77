package yamldoc

import (
	"cmp"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

const (
	// maxDepth limits the nesting of values, as encoding/json and the decoder of the API server do.
	maxDepth = 10000
	// maxMerged limits the work of merge keys. MaxDocument limits the output, but merged fields that are overridden
	// take time without any output. The limit is far above what manifests have.
	maxMerged = 1 << 20
)

// encoder writes YAML nodes as JSON. Aliases and merge keys are expanded; MaxDocument limits the size of the result.
type encoder struct {
	out   []byte
	first int // line in the file of line 1 of the nodes
	// duplicate is called with each duplicate key.
	duplicate   func(*LocationError)
	anyKey      bool
	openAliases map[*yaml.Node]bool // anchored nodes that are being expanded
	mergedCount int                 // merge keys, and the fields that they added
}

func (e *encoder) errorf(n *yaml.Node, format string, args ...any) *LocationError {
	line := n.Line + e.first - 1
	return &LocationError{Line: line, error: fmt.Errorf("line %d: "+format, append([]any{line}, args...)...)}
}

func (e *encoder) value(n *yaml.Node, depth int) (err error) {
	switch {
	case depth > maxDepth:
		return e.errorf(n, "is nested more than %d levels deep", maxDepth)
	case len(e.out) > MaxDocument:
		return fmt.Errorf("exceeds %d MiB with its aliases expanded", MaxDocument>>20)
	case n.Kind == yaml.AliasNode:
		return e.followAlias(n, func(n *yaml.Node) error { return e.value(n, depth+1) })
	case n.Kind == yaml.ScalarNode:
		if e.out, err = appendScalar(e.out, n); err != nil {
			return e.errorf(n, "a value %w", err)
		}
		return nil
	case n.Kind == yaml.MappingNode:
		return e.mapping(n, depth)
	}
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
}

// followAlias calls do with the node of an alias. An alias within its own node is an error.
func (e *encoder) followAlias(alias *yaml.Node, do func(*yaml.Node) error) error {
	if e.openAliases[alias.Alias] {
		return e.errorf(alias, "alias *%s refers to a value that contains it", alias.Value)
	}
	e.openAliases[alias.Alias] = true
	defer delete(e.openAliases, alias.Alias)
	return do(alias.Alias)
}

func (e *encoder) mapping(n *yaml.Node, depth int) error {
	members, err := e.members(n, depth)
	if err != nil {
		return err
	}
	e.out = append(e.out, '{')
	for _, m := range members {
		e.out = objectjson.AppendName(e.out, m.name)
		if err := e.value(m.value, depth+1); err != nil {
			return err
		}
	}
	e.out = append(e.out, '}')
	return nil
}

// entry is an entry of a mapping.
type entry struct {
	name       string
	key, value *yaml.Node
	isMerged   bool
}

// members returns the entries of a mapping in their order, with those of a merge key in its place. A key of the mapping
// itself takes precedence over a merged one, and the first of several merged ones is used.
func (e *encoder) members(n *yaml.Node, depth int) ([]entry, error) {
	if depth > maxDepth {
		return nil, e.errorf(n, "is nested more than %d levels deep", maxDepth)
	}
	members := make([]entry, 0, len(n.Content)/2)
	index := make(map[string]int, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		found := []entry{{key: n.Content[i], value: n.Content[i+1]}}
		var err error
		if IsMergeKey(n.Content[i]) {
			found, err = e.merge(n.Content[i], n.Content[i+1], depth)
		} else {
			found[0].name, err = e.key(n.Content[i])
		}
		if err != nil {
			return nil, err
		}
		for _, m := range found {
			i, isDuplicate := index[m.name]
			switch {
			case !isDuplicate:
				index[m.name] = len(members)
				members = append(members, m)
			case m.isMerged:
			case members[i].isMerged:
				members[i] = m
			default:
				err := e.errorf(m.key, "duplicate key %.200q, first on line %d", m.name, members[i].key.Line+e.first-1)
				err.IsDuplicate = true
				e.duplicate(err)
				members[i] = m
			}
		}
	}
	return members, nil
}

// merge returns the entries that a merge key adds, from one mapping or from the mappings of a sequence.
func (e *encoder) merge(key, value *yaml.Node, depth int) (merged []entry, err error) {
	switch value.Kind {
	case yaml.AliasNode:
		err = e.followAlias(value, func(n *yaml.Node) error {
			merged, err = e.merge(key, n, depth)
			return err
		})
		return merged, err
	case yaml.MappingNode:
		if merged, err = e.members(value, depth+1); err != nil {
			return nil, err
		}
		for i := range merged {
			merged[i].isMerged = true
		}
	case yaml.SequenceNode:
		for _, item := range value.Content {
			if resolveAlias(item).Kind != yaml.MappingNode && item.Kind != yaml.ScalarNode {
				return nil, e.errorf(item, "a merge key takes mappings only")
			}
			more, err := e.merge(key, item, depth+1)
			if err != nil {
				return nil, err
			}
			merged = append(merged, more...)
		}
	default:
		return nil, e.errorf(key, "a merge key takes mappings only")
	}
	e.mergedCount += 1 + len(merged)
	if e.mergedCount > maxMerged {
		return nil, e.errorf(key, "merge keys add more than %d fields, the limit", maxMerged)
	}
	return merged, nil
}

// key returns a key of a mapping, which must be a string in JSON. kubectl would silently convert numbers and booleans
// to strings, and the key on to "true".
func (e *encoder) key(n *yaml.Node) (string, error) {
	key := resolveAlias(n)
	if key.Kind != yaml.ScalarNode {
		return "", e.errorf(n, "a key is not a string")
	}
	if tag := tagOf(key); tag != tagString && !e.anyKey {
		return "", e.errorf(n, "key %.200s is not a string but %s: quote it", key.Value,
			cmp.Or(tagNames[tag], "of tag "+tag))
	}
	return key.Value, nil
}

// tagNames are the names of tags in messages.
var tagNames = map[string]string{tagBool: "a boolean", tagInt: "a number", tagFloat: "a number", tagNull: "null"}
