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
