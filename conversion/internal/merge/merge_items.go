package merge

import (
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// mergeItems writes the items of a list in the order in which they were written.
func mergeItems(out []byte, s *Shape, live, was, is []byte) []byte {
	l, w, i := kjson.Items(live), kjson.Items(was), kjson.Items(is)
	merged, ok := mergeByKeys(s, l, w, i)
	if !ok { // which item was which, nobody can tell
		return append(out, is...)
	}
	out = append(out, '[')
	for n, item := range merged {
		if n > 0 {
			out = append(out, ',')
		}
		out = append(out, item...)
	}
	return append(out, ']')
}

// mergeByKeys is for lists in which every item has a key of its own. Live items that the version
// does not show stay, each behind the one that it stood behind.
func mergeByKeys(s *Shape, live, was, is [][]byte) (merged [][]byte, ok bool) {
	l, lOK := s.byKey(live)
	w, wOK := s.byKey(was)
	i, iOK := s.byKey(is)
	if !lOK || !wOK || !iOK {
		return nil, false
	}
	hidden := map[string][][]byte{} // by the key of the shown item before them
	before := ""
	for _, item := range live {
		key := s.key(item)
		if _, shown := w[key]; shown {
			before = key
		} else if _, written := i[key]; !written {
			hidden[before] = append(hidden[before], item)
		}
	}
	take := func(key string) {
		merged = append(merged, hidden[key]...)
		delete(hidden, key)
	}
	take("")
	for _, item := range is {
		key := s.key(item)
		merged = append(merged, mergeItem(s.item, l[key], w[key], item))
		take(key)
	}
	for _, item := range live { // whose place is gone
		if key := s.key(item); hidden[key] != nil {
			take(key)
		}
	}
	return merged, true
}

// mergeItem gives an item with what it has of a live one; that and what is shown of it may be absent.
func mergeItem(s *Shape, live, was, is []byte) []byte {
	switch {
	case live == nil || was == nil:
		return is
	case Same(s, was, is):
		return live
	}
	return Merge(nil, s, live, was, is)
}

// byKey are items by their keys; ok is false where there are none, or not one for each.
func (s *Shape) byKey(items [][]byte) (_ map[string][]byte, ok bool) {
	if len(s.keys) == 0 {
		return nil, false
	}
	by := make(map[string][]byte, len(items))
	for _, item := range items {
		key := s.key(item)
		if _, twice := by[key]; twice || key == "" {
			return nil, false
		}
		by[key] = item
	}
	return by, true
}

// key of an item, "" for what is none.
func (s *Shape) key(item []byte) string {
	if !kjson.Begins(item, '{') {
		return ""
	}
	m := kjson.ListMembers(item)
	key := make([]byte, 0, 64)
	for _, name := range s.keys {
		value := m.Get(name)
		if s.item.member(name).unset(value) {
			value = nil
		}
		key = append(append(key, kjson.CanonicalForm(value)...), ',') // a text in quotes ends with one
	}
	return string(key)
}
