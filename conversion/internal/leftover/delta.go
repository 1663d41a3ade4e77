package leftover

// Delta says how a list differs from the one that the visible part natively stands for: each item is either one of
// that list, by its index, or given whole. The indexes can be trusted because a delta is only used while the digest of
// the visible part matches; so what is visible is not carried twice.
type Delta[T any] []DeltaItem[T]

// DeltaItem is an index of the native list or an item.
type DeltaItem[T any] struct {
	Native *int `json:"native,omitempty"`
	Item   *T   `json:"item,omitempty"`
}

// Differ gives want as a delta from native, with which it shares memory. Items are the same when their keys are.
func Differ[T any](native, want []T, key func(*T) string) Delta[T] {
	indexes := map[string][]int{} // of native items by their keys
	for i := range native {
		k := key(&native[i])
		indexes[k] = append(indexes[k], i)
	}
	d := make(Delta[T], len(want))
	for i := range want {
		k := key(&want[i])
		same := indexes[k]
		if len(same) == 0 {
			d[i].Item = &want[i]
			continue
		}
		d[i].Native, indexes[k] = &same[0], same[1:]
	}
	return d
}

// Apply makes the list, of at most so many items. It is false for a delta that does not fit the native list.
func (d Delta[T]) Apply(native []T, most int) (list []T, ok bool) {
	if len(d) > most {
		return nil, false
	}
	for _, item := range d {
		switch {
		case item.Item != nil:
			list = append(list, *item.Item)
		case item.Native != nil && 0 <= *item.Native && *item.Native < len(native):
			list = append(list, native[*item.Native])
		default:
			return nil, false
		}
	}
	return list, true
}
