package manifest

import (
	"go.yaml.in/yaml/v3"
)

// maxMerged bounds the work of merge keys: MaxDocument bounds what they bring into the output, but one that is
// overridden, or brings in nothing, costs time and no output. No person writes as many.
const maxMerged = 1 << 20

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
	if tag := tagOf(n); tag != tagString && !e.anyKey {
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
