package v1alpha3

import "slices"

// index finds where the items of a list are, by a key of each. While there are as few as an API server takes it looks through
// them, which is cheaper than a map; a list that is read may have 1,024, and a review a thousand such lists.
type index[K comparable] struct {
	keys []K
	many map[K]int
}

// maxLookedThrough is the most entries that an allocation of v1alpha3 has.
const maxLookedThrough = 64

// of gives the index of the first item with a key, or -1.
func (x *index[K]) of(key K) int {
	if x.many == nil {
		return slices.Index(x.keys, key)
	}
	if at, known := x.many[key]; known {
		return at
	}
	return -1
}

// add the key of the next item, which no item has.
func (x *index[K]) add(key K) {
	x.keys = append(x.keys, key)
	if len(x.keys) <= maxLookedThrough {
		return
	}
	if x.many == nil {
		x.many = make(map[K]int, 2*len(x.keys))
		for at, k := range x.keys {
			x.many[k] = at
		}
	}
	x.many[key] = len(x.keys) - 1
}
