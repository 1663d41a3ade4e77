package hub

// delta describes a list by its difference from the list that is visible in an allocation. An item is the index of a
// visible item, or a whole item. So visible data is not stored twice. The indexes are valid as long as the digest of
// the allocation matches.
type delta[T any] []deltaItem[T]

type deltaItem[T any] struct {
	// Visible is the index of the visible item. Its JSON name is native, which cannot change: stored objects have it.
	Visible *int `json:"native,omitempty"`
	Item    *T   `json:"item,omitempty"`
}

// newDelta returns the delta from the visible list to a list. It shares memory with the list. Items with the same key
// are equal.
func newDelta[T any](visible, list []T, key func(*T) string) delta[T] {
	indexes := map[string][]int{} // of visible items, by key
	for i := range visible {
		k := key(&visible[i])
		indexes[k] = append(indexes[k], i)
	}
	d := make(delta[T], len(list))
	for i := range list {
		k := key(&list[i])
		equal := indexes[k]
		if len(equal) == 0 {
			d[i].Item = &list[i]
			continue
		}
		d[i].Visible = &equal[0]
		indexes[k] = equal[1:]
	}
	return d
}

// apply returns the list that the delta describes. It returns false if the list has more than limit items, or the delta
// does not fit the visible list.
func (d delta[T]) apply(visible []T, limit int) (list []T, ok bool) {
	if len(d) > limit {
		return nil, false
	}
	for _, item := range d {
		switch {
		case item.Item != nil:
			list = append(list, *item.Item)
		case item.Visible != nil && 0 <= *item.Visible && *item.Visible < len(visible):
			list = append(list, visible[*item.Visible])
		default:
			return nil, false
		}
	}
	return list, true
}
