package conversion

import (
	"errors"
	"fmt"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
)

// delta says how a list differs from the one that the visible part natively stands for: each item is either one of
// that list, by its place, or given whole. The places can be trusted because a delta is only used while the digest of
// the visible part matches; so what is visible is not carried twice.
type delta[T any] []deltaItem[T]

type deltaItem[T any] struct {
	Native *int `json:"native,omitempty"`
	Item   *T   `json:"item,omitempty"`
}

// maxRepeated is how many bytes the configuration of an allocation may gain by naming entries again, so that parameters
// which the stored object repeats are carried once. The stored object holds them all, so an honest delta makes no more than
// is stored: kube-apiserver reads no request of more than 3 MiB. Handles are never named again: an entry in storage that
// did so would make copies of many times what is stored.
const maxRepeated = 3 << 20

// differ writes want as a delta from native into a list of its length. The delta shares memory with want. Items may be named
// again where there is a function that gives the bytes which that makes.
func differ[T any](r *room, into delta[T], native, want []T, same func(a, b *T) bool, again func(*T) int) delta[T] {
	var few [64]bool // as many entries as an API server takes
	used := few[:]
	if len(native) > len(few) {
		used = make([]bool, len(native))
	}
	repeated := 0
	for i := range want {
		place := -1
		for n := range native {
			if used[n] && (place >= 0 || again == nil) || !same(&native[n], &want[i]) {
				continue
			}
			place = n
			if !used[n] {
				break
			}
		}
		if place >= 0 && used[place] {
			if repeated += again(&native[place]); repeated > maxRepeated {
				place = -1
			}
		}
		if place < 0 {
			into[i].Item = &want[i]
			continue
		}
		used[place] = true
		into[i].Native = r.ints.put(place)
	}
	return into
}

func differHandles(r *room, native, want []v1alpha2.ResourceHandle) delta[v1alpha2.ResourceHandle] {
	return differ(r, r.deltaItemV1alpha2ResourceHandle.list(len(want)), native, want, r.equalV1alpha2ResourceHandle, nil)
}

// sizeOfEntry of a native reading, whose entries are all opaque.
func sizeOfEntry(c *v1alpha3.DeviceAllocationConfiguration) int {
	return len(c.Opaque.Parameters.Raw)
}

// check refuses a delta that does not fit its native list or that makes a list of more than most items; again is that of
// differ.
func (d delta[T]) check(native []T, most int, again func(*T) int) error {
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
