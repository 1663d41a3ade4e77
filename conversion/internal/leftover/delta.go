package leftover

import (
	"errors"
	"fmt"
)

// Delta says how a list differs from the one that the visible part natively stands for: each item is either one of
// that list, by its index, or given whole. The indexes can be trusted because a delta is only used while the digest of
// the visible part matches; so what is visible is not carried twice.
type Delta[T any] []DeltaItem[T]

// DeltaItem is an index of the native list or an item.
type DeltaItem[T any] struct {
	Native *int `json:"native,omitempty"`
	Item   *T   `json:"item,omitempty"`
}

// maxRepeated is how many bytes the configuration of an allocation may gain by naming entries again, so that parameters
// which the stored object repeats are carried once. The stored object holds them all, so an honest delta makes no more than
// is stored: kube-apiserver reads no request of more than 3 MiB. Handles are never named again: an entry in storage that
// did so would make copies of many times what is stored.
const maxRepeated = 3 << 20

// Differ gives want as a delta from native, with which it shares memory. Items are the same when their keys are. They may be
// named again where there is a function that gives the bytes which that makes.
func Differ[T any](native, want []T, key func(*T) string, again func(*T) int) Delta[T] {
	indexes := map[string][]int{} // of native items by their keys
	for i := range native {
		k := key(&native[i])
		indexes[k] = append(indexes[k], i)
	}
	named := map[string]int{} // how many of them are named
	repeated := 0
	d := make(Delta[T], len(want))
	for i := range want {
		d[i].Item = &want[i]
		k := key(&want[i])
		same, n := indexes[k], named[k]
		switch {
		case n < len(same):
			named[k]++
		case n == 0 || again == nil:
			continue
		default:
			n = 0
			if repeated += again(&native[same[0]]); repeated > maxRepeated {
				continue
			}
		}
		d[i] = DeltaItem[T]{Native: &same[n]}
	}
	return d
}

// Check refuses a delta that does not fit its native list or that makes a list of more than most items; again is that of
// Differ.
func (d Delta[T]) Check(native []T, most int, again func(*T) int) error {
	if len(d) > most {
		return fmt.Errorf("%d items, at most %d are allowed", len(d), most)
	}
	used := make([]bool, len(native))
	repeated := 0
	for i, item := range d {
		switch {
		case (item.Native == nil) == (item.Item == nil):
			return fmt.Errorf("item %d must be either native or whole", i)
		case item.Native != nil && (*item.Native < 0 || *item.Native >= len(native)):
			return fmt.Errorf("item %d names no item of the visible list", i)
		case item.Native != nil && used[*item.Native] && again == nil:
			return fmt.Errorf("item %d is named twice", i)
		case item.Native != nil && used[*item.Native]:
			repeated += again(&native[*item.Native])
		case item.Native != nil:
			used[*item.Native] = true
		}
	}
	if repeated > maxRepeated {
		return errors.New("its items repeat more than an object can hold")
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
