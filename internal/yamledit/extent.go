package yamledit

import (
	"cmp"
	"strings"
)

// setExtent sets the range of an entry of a block, with the comments that belong to it. Text before the offset from was
// read with earlier entries. A comment belongs to
//
//   - the entry below it, if it is directly above the key, at its column,
//   - the entry before it, if it is indented deeper than that entry's key,
//   - the entry directly above it, if another entry follows and the comment does not belong to that.
//
// Other comments belong to the collection. For example:
//
//	# belongs to a: directly above its key
//	a: 1
//	  # belongs to a: indented deeper than its key
//	# belongs to a: directly below it
//
//	# belongs to the collection
//
//	# belongs to b: directly above its key
//	b: 2
//	# belongs to the collection: no entry follows
func (r *reader) setExtent(out *node, e *entry, from int) {
	above := r.lines.indexAt(e.keyBegin)
	begin := r.lines[above].begin
	e.col = e.keyBegin - begin
	e.isAfterDash = strings.Trim(r.text[begin:e.keyBegin], " ") != ""
	e.begin = e.keyBegin
	if !e.isAfterDash {
		for above > 0 && r.lines[above-1].begin >= from && r.lines[above-1].first == '#' &&
			r.lines[above-1].col == e.col {
			above--
		}
		e.begin = r.lines[above].begin
		if len(out.entries) > 1 {
			r.addCommentsBelow(out.entries[len(out.entries)-2], above)
		}
	}
	e.end = e.value.end
	if e.value.isFlow || e.value.kind == scalar {
		e.end = r.lines.nextLineBegin(max(r.done, e.value.end))
	}
	for i := r.lines.indexAt(e.end); e.end == r.lines[i].begin; { // comments that are indented deeper
		next := r.lines[i].next
		if r.lines[next].first != '#' || r.lines[next].col <= e.col {
			break
		}
		i = next + 1
		e.end = r.lines[i].begin
	}
	r.advance(e.end)
	first := out.entries[0]
	out.begin = first.begin
	out.end = e.end
	out.col = first.col
	if e.col != out.col {
		out.whyNotEditable = cmp.Or(out.whyNotEditable, "the keys of a mapping are not in the same column")
	}
}

// addCommentsBelow adds the comments directly below an entry to it, up to a line that belongs to the next entry.
func (r *reader) addCommentsBelow(e *entry, limit int) {
	for i := r.lines.indexAt(e.end); i < limit && e.end == r.lines[i].begin && r.lines[i].first == '#'; i++ {
		e.end = r.lines[i+1].begin
	}
}
