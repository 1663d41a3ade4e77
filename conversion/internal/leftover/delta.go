package leftover

import "fmt"

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

// Check refuses a delta that does not fit its native list or that makes a list of more than most items.
func (d Delta[T]) Check(native []T, most int) error {
	if len(d) > most {
		return fmt.Errorf("%d items, at most %d are allowed", len(d), most)
	}
	used := make([]bool, len(native))
	for i, item := range d {
		switch {
		case (item.Native == nil) == (item.Item == nil):
			return fmt.Errorf("item %d must be either native or whole", i)
		case item.Native == nil:
		case *item.Native < 0 || *item.Native >= len(native):
			return fmt.Errorf("item %d names no item of the visible list", i)
		case used[*item.Native]:
			return fmt.Errorf("item %d is named twice", i)
		default:
			used[*item.Native] = true
		}
	}
	return nil
}

// Apply makes the list; the delta was checked.
func (d Delta[T]) Apply(native []T) []T {
	var out []T // nil rather than empty
	for _, item := range d {
		if item.Native != nil {
			out = append(out, native[*item.Native])
		} else {
			out = append(out, *item.Item)
		}
	}
	return out
}
