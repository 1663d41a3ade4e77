package yamledit

// pair of an item that is there and one that is wanted; one of them is nil where it has no other.
type pair struct{ old, desired *entry }

// ways to tell that two items are the same one: they give the same of both, and it is not 0. The
// first is for sequences that have as many as before, so that one which becomes equal to another is
// not taken for that.
var matchers = []func(e *entry) uint64{
	func(e *entry) uint64 { return e.value.hash + uint64(e.index) },
	func(e *entry) uint64 { return e.value.hash },
	func(e *entry) uint64 { return nameOf(e.value) },
}

// pairs of items of a sequence: those that are the same in one way, between these those that are in
// the next one, and between these by their places. The pairs are in the same order on both sides.
func pairItems(entries, members []*entry, matchers []func(e *entry) uint64) (all []pair) {
	if len(matchers) == 0 {
		return pairByPosition(entries, members)
	}
	indexes := map[uint64][]int{}
	for i, e := range entries {
		key := matchers[0](e)
		indexes[key] = append(indexes[key], i)
	}
	from, at := 0, 0 // the first that are not paired yet
	for i, m := range members {
		key := matchers[0](m)
		list := indexes[key]
		for len(list) > 0 && list[0] < at {
			list = list[1:]
		}
		if indexes[key] = list; len(list) > 0 && key != 0 {
			all = append(append(all, pairItems(entries[at:list[0]], members[from:i], matchers[1:])...),
				pair{entries[list[0]], m})
			from, at = i+1, list[0]+1
		}
	}
	return append(all, pairItems(entries[at:], members[from:], matchers[1:])...)
}

// inPlace pairs items one by one, those of one kind that have not both a name.
func pairByPosition(entries, members []*entry) (all []pair) {
	for _, m := range members {
		if len(entries) == 0 || entries[0].value.kind != m.value.kind ||
			nameOf(entries[0].value) != 0 && nameOf(m.value) != 0 {
			all = append(all, pair{nil, m})
			continue
		}
		all, entries = append(all, pair{entries[0], m}), entries[1:]
	}
	for _, e := range entries {
		all = append(all, pair{e, nil})
	}
	return all
}

// nameOf an item that is a mapping with a name: its hash, else 0.
func nameOf(n *node) uint64 {
	for _, e := range n.entries {
		if e.key == "name" && e.value.kind == scalar {
			return e.value.hash
		}
	}
	return 0
}
