package manifest

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// maxDepth of nested values: what encoding/json and the API server's decoder take.
const maxDepth = 10000

// toJSON writes a YAML node as JSON. Aliases and merge keys are written out; what a few lines of them can grow to is
// bounded by MaxDocument. first is the line in the file where line 1 of the node is.
func toJSON(n *yaml.Node, first int, strict bool) ([]byte, error) {
	e := encoder{first: first, strict: strict, within: map[*yaml.Node]bool{}}
	if err := e.value(n, 0); err != nil {
		return nil, err
	}
	return e.out, nil
}

type encoder struct {
	out    []byte
	first  int
	strict bool
	within map[*yaml.Node]bool // aliases that are being written out
	merged int                 // merge keys that were followed, and members that they brought in
}

// maxMerged bounds the work of merge keys: MaxDocument bounds what they bring into the output, but one that is
// overridden, or brings in nothing, costs time and no output. No person writes as many.
const maxMerged = 1 << 20

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

func (e *encoder) mapping(n *yaml.Node, depth int) error {
	members, err := e.members(n, depth)
	if err != nil {
		return err
	}
	e.out = append(e.out, '{')
	for i, m := range members {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		if e.out, err = appendString(e.out, m.name); err != nil {
			return e.errorf(m.key, "a key %w", err)
		}
		e.out = append(e.out, ':')
		if err := e.value(m.value, depth+1); err != nil {
			return err
		}
	}
	e.out = append(e.out, '}')
	return nil
}

// entry of a mapping.
type entry struct {
	name       string
	key, value *yaml.Node
	merged     bool
}

// members of a mapping in their order, those of merge keys where the merge key stands. A key of the mapping itself
// goes before a merged one, and among merged ones the first counts.
func (e *encoder) members(n *yaml.Node, depth int) ([]entry, error) {
	if depth > maxDepth {
		return nil, e.errorf(n, "is nested more than %d deep", maxDepth)
	}
	members := make([]entry, 0, len(n.Content)/2)
	at := make(map[string]int, len(n.Content)/2)
	add := func(m entry) error {
		i, twice := at[m.name]
		switch {
		case !twice:
			at[m.name] = len(members)
			members = append(members, m)
		case m.merged:
		case members[i].merged || !e.strict:
			members[i] = m
		default:
			return e.errorf(m.key, "duplicate key %.200q, first on line %d", m.name, members[i].key.Line+e.first-1)
		}
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind == yaml.ScalarNode && tagOf(key) == tagMerge {
			merged, err := e.merge(key, value, depth)
			if err != nil {
				return nil, err
			}
			for _, m := range merged {
				if err := add(m); err != nil {
					return nil, err
				}
			}
			continue
		}
		name, err := e.key(key)
		if err != nil {
			return nil, err
		}
		if err := add(entry{name: name, key: key, value: value}); err != nil {
			return nil, err
		}
	}
	return members, nil
}

// merge gives the members that a merge key brings in: of one mapping, or of the mappings of a sequence.
func (e *encoder) merge(key, value *yaml.Node, depth int) ([]entry, error) {
	if value.Kind == yaml.AliasNode {
		if e.within[value.Alias] {
			return nil, e.errorf(value, "alias *%s is within what it stands for", value.Value)
		}
		e.within[value.Alias] = true
		defer delete(e.within, value.Alias)
		value = value.Alias
	}
	var merged []entry
	switch value.Kind {
	case yaml.MappingNode:
		members, err := e.members(value, depth+1)
		if err != nil {
			return nil, err
		}
		for _, m := range members {
			m.merged = true
			merged = append(merged, m)
		}
	case yaml.SequenceNode:
		for _, item := range value.Content {
			if item.Kind == yaml.SequenceNode || item.Kind == yaml.AliasNode && item.Alias.Kind != yaml.MappingNode {
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
	if e.merged += 1 + len(merged); e.merged > maxMerged {
		return nil, e.errorf(key, "merge keys bring in too much, more than %d fields", maxMerged)
	}
	return merged, nil
}

// key of a mapping; JSON knows strings only. kubectl would make strings of numbers and booleans without a word, and
// of the key on it makes "true".
func (e *encoder) key(n *yaml.Node) (string, error) {
	line := n
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.ScalarNode {
		return "", e.errorf(line, "a key is not a string")
	}
	if tag := tagOf(n); tag != tagString {
		return "", e.errorf(line, "key %.200s is not a string but %s, put it in quotes", n.Value, spoken(tag))
	}
	return n.Value, nil
}

// spoken name of a tag.
func spoken(tag string) string {
	switch tag {
	case tagBool:
		return "a boolean"
	case tagInt, tagFloat:
		return "a number"
	case tagNull:
		return "null"
	}
	return "of tag " + tag
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
