package yamledit

// pair is an old entry and the desired one for it. One of them is nil if the other has no counterpart.
type pair struct{ old, desired *entry }

// matchers find equal items: two items match if the function returns the same nonzero number for both. The first one is
// for sequences that keep their length: it pairs items at the same index, so that an item that becomes equal to another
// old item is not paired with that one.
var matchers = []func(e *entry) uint64{
	func(e *entry) uint64 { return e.value.hash + uint64(e.index) },
	func(e *entry) uint64 { return e.value.hash },
	func(e *entry) uint64 { return nameOf(e.value) },
}

// pairItems pairs the items of two sequences: first those that the first matcher finds, then those between them with
// the next matcher, and the rest by position. The pairs have the same order on both sides.
func pairItems(old, desired []*entry, matchers []func(e *entry) uint64) (all []pair) {
	if len(matchers) == 0 {
		return pairByPosition(old, desired)
	}
	indexes := map[uint64][]int{}
	for i, e := range old {
		key := matchers[0](e)
		indexes[key] = append(indexes[key], i)
	}
	from, at := 0, 0 // the first that are not paired yet
	for i, m := range desired {
		key := matchers[0](m)
		list := indexes[key]
		for len(list) > 0 && list[0] < at {
			list = list[1:]
		}
		indexes[key] = list
		if len(list) > 0 && key != 0 {
			all = append(append(all, pairItems(old[at:list[0]], desired[from:i], matchers[1:])...),
				pair{old[list[0]], m})
			from, at = i+1, list[0]+1
		}
	}
	return append(all, pairItems(old[at:], desired[from:], matchers[1:])...)
}

// pairByPosition pairs items in order, if they have the same kind and not both have a name.
func pairByPosition(old, desired []*entry) (all []pair) {
	for _, m := range desired {
		if len(old) == 0 || old[0].value.kind != m.value.kind ||
			nameOf(old[0].value) != 0 && nameOf(m.value) != 0 {
			all = append(all, pair{nil, m})
			continue
		}
		all, old = append(all, pair{old[0], m}), old[1:]
	}
	for _, e := range old {
		all = append(all, pair{e, nil})
	}
	return all
}

// nameOf returns the hash of the name of an item that is a mapping with a name, or 0.
func nameOf(n *node) uint64 {
	for _, e := range n.entries {
		if e.key == "name" && e.value.kind == scalar {
			return e.value.hash
		}
	}
	return 0
}
