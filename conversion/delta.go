package conversion

import (
	"fmt"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

// delta says how a list differs from the one that the visible part natively stands for: each item is either one of
// that list, by its place, or given whole. The places can be trusted because a delta is only used while the digest of
// the visible part matches; so what is visible is not carried twice.
type delta[T any] []deltaItem[T]

type deltaItem[T any] struct {
	Native *int `json:"native,omitempty"`
	Item   *T   `json:"item,omitempty"`
}

// differ writes want as a delta from native into a list of its length. The delta shares memory with want.
func differ[T any](r *room, into delta[T], native, want []T, same func(a, b *T) bool) delta[T] {
	var few [64]bool // as many entries as an API server takes
	used := few[:]
	if len(native) > len(few) {
		used = make([]bool, len(native))
	}
	for i := range want {
		for n := range native {
			if !used[n] && same(&native[n], &want[i]) {
				used[n] = true
				into[i].Native = r.ints.put(n)
				break
			}
		}
		if into[i].Native == nil {
			into[i].Item = &want[i]
		}
	}
	return into
}

func differHandles(r *room, native, want []v1alpha2.ResourceHandle) delta[v1alpha2.ResourceHandle] {
	return differ(r, r.deltaItemV1alpha2ResourceHandle.list(len(want)), native, want, equalV1alpha2ResourceHandle)
}

// check refuses a delta that does not fit its native list or that makes a list of more than most items.
func (d delta[T]) check(native []T, most int) error {
	if len(d) > most {
		return fmt.Errorf("%d items, at most %d are allowed", len(d), most)
	}
	used := make([]bool, len(native))
	for i, item := range d {
		switch {
		case (item.Native == nil) == (item.Item == nil):
			return fmt.Errorf("item %d must be either native or whole", i)
		case item.Native != nil && (*item.Native < 0 || *item.Native >= len(native) || used[*item.Native]):
			return fmt.Errorf("item %d names no item of the visible list", i)
		case item.Native != nil:
			used[*item.Native] = true
		}
	}
	return nil
}

// apply makes the list; the delta was checked.
func (d delta[T]) apply(native []T) []T {
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
