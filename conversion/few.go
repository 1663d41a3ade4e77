package conversion

// few finds values by a key: one by one while there are few of them, as in all that an API server takes, else by a map.
type few[K comparable, V any] struct {
	items []keyed[K, V]
	many  map[K]int
}

type keyed[K comparable, V any] struct {
	key   K
	value V
}

const fewest = 16

// get gives the place of a key's value, or nil. It is good until the next put.
func (f *few[K, V]) get(key K) *V {
	if f.many != nil {
		if i, ok := f.many[key]; ok {
			return &f.items[i].value
		}
		return nil
	}
	for i := range f.items {
		if f.items[i].key == key {
			return &f.items[i].value
		}
	}
	return nil
}

// reset empties it for another use.
func (f *few[K, V]) reset() {
	if cap(f.items) > maxSlab {
		f.items = nil
	}
	clear(f.items)
	f.items, f.many = f.items[:0], nil
}

// put adds a key that is not there.
func (f *few[K, V]) put(key K, value V) {
	if len(f.items) == fewest {
		f.many = make(map[K]int, 2*fewest)
		for i := range f.items {
			f.many[f.items[i].key] = i
		}
	}
	if f.many != nil {
		f.many[key] = len(f.items)
	}
	f.items = append(f.items, keyed[K, V]{key, value})
}
