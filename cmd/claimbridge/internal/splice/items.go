package splice

// ways to tell that two items are the same one: they give the same of both, and it is not 0.
var ways = []func(n *node) uint64{func(n *node) uint64 { return n.hash }, nameOf}

// sequence pairs items: first, where there are as many as before, those that are equal at the same place, so that one which becomes equal to
// another is not taken for that.
func (c *comparer) sequence(entries, members []*entry, depth int) {
	from := 0
	for i, m := range members {
		if len(entries) == len(members) && m.value.hash == entries[i].value.hash {
			c.items(entries[from:i], members[from:i], ways, depth)
			c.pair(entries[i], m, depth)
			from = i + 1
		}
	}
	c.items(entries[from:], members[from:], ways, depth)
}

// items of a sequence are paired: those that are equal, between these those of the same name, and between these by their places. The pairs
// are in the same order on both sides.
func (c *comparer) items(entries, members []*entry, ways []func(n *node) uint64, depth int) {
	if len(ways) == 0 {
		c.inPlace(entries, members, depth)
		return
	}
	places := map[uint64][]int{}
	for i, e := range entries {
		what := ways[0](e.value)
		places[what] = append(places[what], i)
	}
	from, at := 0, 0 // the first that are not paired yet
	for i, m := range members {
		what := ways[0](m.value)
		list := places[what]
		for len(list) > 0 && list[0] < at {
			list = list[1:]
		}
		if places[what] = list; len(list) > 0 && what != 0 {
			c.items(entries[at:list[0]], members[from:i], ways[1:], depth)
			c.pair(entries[list[0]], m, depth)
			from, at = i+1, list[0]+1
		}
	}
	c.items(entries[at:], members[from:], ways[1:], depth)
}

// inPlace pairs items one by one, those of one kind that have not both a name.
func (c *comparer) inPlace(entries, members []*entry, depth int) {
	for _, m := range members {
		if len(entries) == 0 || entries[0].value.kind != m.value.kind || nameOf(entries[0].value) != 0 && nameOf(m.value) != 0 {
			c.news = append(c.news, m)
			continue
		}
		c.pair(entries[0], m, depth)
		entries = entries[1:]
	}
	c.gone = append(c.gone, entries...)
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
