package yamledit

// pair is an old entry and the desired one for it. One of them is nil if the other has no counterpart.
type pair struct{ old, desired *entry }

// matcher returns a number for an item of a sequence. Two items match if it returns the same nonzero number for both.
type matcher func(item *entry) uint64

func valueAndIndex(item *entry) uint64 { return item.value.hash + uint64(item.index) }
func valueOnly(item *entry) uint64     { return item.value.hash }
func nameOnly(item *entry) uint64      { return nameOf(item.value) }

// pairSequence pairs the items of two sequences. If both have the same length, equal items at the same index are paired
// first, so that an item that becomes equal to another old item is not paired with that one.
func pairSequence(old, desired []*entry) []pair {
	if len(old) == len(desired) {
		return pairItems(old, desired, valueAndIndex, valueOnly, nameOnly)
	}
	return pairItems(old, desired, valueOnly, nameOnly)
}

// pairItems pairs the items of two sequences: first those that the first matcher finds, then those between them with
// the next matcher, and the rest by position. The pairs have the same order on both sides.
func pairItems(old, desired []*entry, matchers ...matcher) (all []pair) {
	if len(matchers) == 0 {
		return pairByPosition(old, desired)
	}
	match, furtherMatchers := matchers[0], matchers[1:]
	oldIndexes := map[uint64][]int{} // of the old items that may still be paired, by their number
	for i, e := range old {
		number := match(e)
		oldIndexes[number] = append(oldIndexes[number], i)
	}
	nextOld, nextDesired := 0, 0 // the first items that are not paired yet
	for i, m := range desired {
		number := match(m)
		list := oldIndexes[number]
		for len(list) > 0 && list[0] < nextOld {
			list = list[1:]
		}
		oldIndexes[number] = list
		if len(list) == 0 || number == 0 {
			continue
		}
		matched := list[0]
		all = append(all, pairItems(old[nextOld:matched], desired[nextDesired:i], furtherMatchers...)...)
		all = append(all, pair{old[matched], m})
		nextOld, nextDesired = matched+1, i+1
	}
	return append(all, pairItems(old[nextOld:], desired[nextDesired:], furtherMatchers...)...)
}

// pairByPosition pairs items in order, if they have the same kind and not both have a name.
func pairByPosition(old, desired []*entry) (all []pair) {
	for _, m := range desired {
		if len(old) == 0 || old[0].value.kind != m.value.kind ||
			nameOf(old[0].value) != 0 && nameOf(m.value) != 0 {
			all = append(all, pair{nil, m})
			continue
		}
		all = append(all, pair{old[0], m})
		old = old[1:]
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
