package v1alpha3

// index finds values by their keys. While there are as few as an API server takes it looks through
// them, which is cheaper than a map; a list that is read may have 1,024, and a review a thousand
// such lists.
type index[K comparable, V any] struct {
	items []indexed[K, V]
	many  map[K]int
}

type indexed[K comparable, V any] struct {
	key   K
	value V
}

// maxLookedThrough is the most entries that an allocation of v1alpha3 has.
const maxLookedThrough = 64

// few items are made room for at first: most allocations have no more handles, results or pools.
const few = 2

// of gives the value of a key until the next one is added, or nil.
func (x *index[K, V]) of(key K) *V {
	if x.many != nil {
		if at, known := x.many[key]; known {
			return &x.items[at].value
		}
		return nil
	}
	for at := range x.items {
		if x.items[at].key == key {
			return &x.items[at].value
		}
	}
	return nil
}

// add the value of a key that is not there.
func (x *index[K, V]) add(key K, value V) {
	if x.items == nil {
		x.items = make([]indexed[K, V], 0, few)
	}
	x.items = append(x.items, indexed[K, V]{key, value})
	if len(x.items) <= maxLookedThrough {
		return
	}
	if x.many == nil {
		x.many = make(map[K]int, 2*len(x.items))
		for at := range x.items {
			x.many[x.items[at].key] = at
		}
	}
	x.many[key] = len(x.items) - 1
}
