package splice

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// block reads a mapping or a sequence in block style, and which comments belong to which entry:
//
//   - those directly above a key, at its column, to that entry;
//   - those behind an entry that are indented deeper than its key, to it;
//   - those directly below an entry, when something else follows and they do not belong to that, to the entry above.
//
// What follows on the last entry otherwise belongs to the whole.
func (b *yamlReader) block(out *node, n *yaml.Node) error {
	step := 2
	if out.kind == sequence {
		step = 1
	}
	for i := 0; i+step-1 < len(n.Content); i += step {
		before := b.done
		var e *entry
		var err error
		if out.kind == mapping {
			col := n.Content[i].Column - 1
			e, err = b.pair(out, n.Content[i], n.Content[i+1], col)
		} else {
			e, err = b.item(out, n.Content[i])
		}
		if err != nil {
			return err
		}
		b.extent(out, e, before)
	}
	if len(out.entries) == 0 {
		return b.refuse(out.begin, "a block has no entries")
	}
	first := out.entries[0]
	out.begin, out.end, out.col = first.begin, out.entries[len(out.entries)-1].end, first.col
	for _, e := range out.entries {
		if e.col != out.col {
			out.close("the keys of a mapping do not stand one below the other")
		}
	}
	b.finish(out)
	return nil
}

// item reads an item behind its dash.
func (b *yamlReader) item(out *node, n *yaml.Node) (*entry, error) {
	dash := b.blanks(b.done)
	if dash+1 >= len(b.text) || b.text[dash] != '-' {
		return nil, b.refuse(dash, "the dash of an item is not found")
	}
	b.skip(dash)
	b.done = dash + 1
	e := &entry{keyBegin: dash, keyEnd: dash + 1, in: out}
	col := dash - b.lines.begins[b.lines.at(dash)]
	var err error
	e.value, err = b.node(n, out, col)
	out.entries = append(out.entries, e)
	return e, err
}

// extent of an entry, when what was read before it ended at an offset.
func (b *yamlReader) extent(out *node, e *entry, before int) {
	line := b.lines.at(e.keyBegin)
	lineBegin := b.lines.begins[line]
	e.col = e.keyBegin - lineBegin
	e.behindDash = len(bytes.Trim(b.text[lineBegin:e.keyBegin], " ")) > 0
	if e.begin = e.keyBegin; !e.behindDash {
		above := line
		for last := b.lines.at(before); above-1 > last || above-1 == last && before == b.lines.begins[last]; above-- {
			if col, is := b.lines.comment(above - 1); !is || col != e.col {
				break
			}
		}
		e.begin = b.lines.begins[above]
		if len(out.entries) > 1 {
			b.between(out.entries[len(out.entries)-2], above)
		}
	}
	e.end = e.value.end
	if e.value.flow || e.value.kind == scalar || e.value.kind == alias {
		e.end = b.lines.after(max(b.done, e.value.end))
	}
	b.deeper(e)
	b.skip(e.end)
	b.done = max(b.done, e.end)
}

// deeper takes along comments behind an entry that are indented deeper than it.
func (b *yamlReader) deeper(e *entry) {
	for i := b.lines.at(e.end); e.end == b.lines.begins[i]; {
		next := b.lines.next[i]
		if col, is := b.lines.comment(next); !is || col <= e.col {
			return
		}
		i = next + 1
		e.end = b.lines.begins[i]
	}
}

// between gives an entry the comments directly below it, up to a line that belongs to the next.
func (b *yamlReader) between(e *entry, above int) {
	for i := b.lines.at(e.end); i < above && e.end == b.lines.begins[i]; i++ {
		if _, is := b.lines.comment(i); !is {
			return
		}
		e.end = b.lines.begins[i+1]
	}
}

// finish computes what a collection says, and which of its entries count.
func (b *yamlReader) finish(out *node) {
	for i, e := range out.entries {
		e.index = i
	}
	if out.kind == sequence {
		out.hash = emptySequence
		for _, e := range out.entries {
			out.hash = mix(out.hash, e.value.hash)
		}
		return
	}
	out.hash = emptyMapping
	if different(out.entries) { // as nearly all are
		for _, e := range out.entries {
			out.hash += mix(sum(b.seed, true, e.key), e.value.hash)
		}
		return
	}
	counts := make(map[string]*entry, len(out.entries))
	for _, e := range out.entries {
		if e.merge {
			b.bring(out, e)
			continue
		}
		if counts[e.key] != nil {
			out.close("a key is there twice")
		}
		counts[e.key] = e
	}
	for _, e := range out.entries {
		for _, m := range e.effective {
			if counts[m.key] == nil {
				counts[m.key] = m
			}
		}
	}
	for key, e := range counts {
		out.hash += mix(sum(b.seed, true, key), e.value.hash)
	}
}

// different reports whether entries are few, and each has a key of its own and says for itself what it says.
func different(entries []*entry) bool {
	const few = 16 // of which comparing all with all takes less than a map
	if len(entries) > few {
		return false
	}
	for i, e := range entries {
		if e.merge {
			return false
		}
		for _, other := range entries[:i] {
			if other.key == e.key {
				return false
			}
		}
	}
	return true
}

// bring finds what a merge key brings in.
func (b *yamlReader) bring(out *node, e *entry) {
	targets := []*node{e.value}
	if e.value.kind == sequence {
		targets = targets[:0]
		for _, item := range e.value.entries {
			targets = append(targets, item.value)
		}
	}
	seen := map[string]bool{}
	for _, t := range targets {
		if t = t.target(); t == nil || t.kind != mapping {
			out.close("a merge key brings in what is no mapping")
			return
		}
		for _, own := range []bool{true, false} {
			for _, m := range t.entries {
				list := []*entry{m}
				if m.merge {
					list = m.effective
				}
				if m.merge == own {
					continue
				}
				for _, m := range list {
					if b.merged++; b.merged > maxMerged {
						out.close("merge keys bring in too much")
						return
					}
					if !seen[m.key] {
						seen[m.key] = true
						e.effective = append(e.effective, m)
					}
				}
			}
		}
	}
}
