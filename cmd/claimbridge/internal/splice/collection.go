package splice

import (
	"cmp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
)

// collection reads a mapping or a sequence, in brackets or as a block, whose entries have so many parts: a key and a value, or a value.
func (r *reader) collection(out *node, parts []*yaml.Node, step, indent int) {
	brackets := "{}"
	if out.kind == sequence {
		brackets = "[]"
	}
	bare := !strings.HasPrefix(r.text[out.begin:], brackets[:1])
	switch {
	case !out.flow:
	case bare:
		out.closed = "a pair in a sequence has no braces"
	default:
		r.done = out.begin + 1
	}
	for i := 0; i+step <= len(parts); i += step {
		e := &entry{in: out}
		before, col := r.done, indent
		switch {
		case step == 2:
			if !out.flow {
				col = parts[i].Column - 1
			}
			r.key(e, parts[i], col)
		case !out.flow:
			col = r.dash(e)
		}
		e.value = r.node(parts[i+step-1], e, col)
		if out.entries = append(out.entries, e); r.err != nil {
			return
		}
		switch {
		case !out.flow:
			r.extent(out, e, before)
			continue
		case step == 1:
			e.keyBegin, e.keyEnd = e.value.from, e.value.from
		}
		e.begin, e.end = e.keyBegin, r.done
	}
	if out.flow && !bare {
		r.closing(out, brackets[1:])
	}
	if out.flow {
		out.end = r.done
	}
	r.sum(out)
}

// closing reads the end of brackets, and a comma before it.
func (r *reader) closing(out *node, bracket string) {
	end := r.blanks(r.done)
	if strings.HasPrefix(r.text[end:], ",") {
		end = r.blanks(end + 1)
	}
	if !strings.HasPrefix(r.text[end:], bracket) {
		r.refuse(out.begin, "the end of brackets is not found")
		return
	}
	r.pass(end)
	r.done = end + 1
}

// key reads a key and its colon.
func (r *reader) key(e *entry, key *yaml.Node, indent int) {
	name := r.node(key, nil, indent)
	target := key
	if key.Kind == yaml.AliasNode {
		target = key.Alias
	}
	e.key, e.keyBegin, e.keyEnd, e.merge = target.Value, name.from, r.done, manifest.IsMergeKey(key)
	if target.Kind != yaml.ScalarNode || name.kind == scalar && !name.isText {
		e.in.closed, e.merge = cmp.Or(e.in.closed, "a key is not a string"), false
	}
	between := " \t"
	if e.in.flow {
		between = white
	}
	at := r.skip(r.done, between)
	if !strings.HasPrefix(r.text[at:], ":") {
		e.in.closed = cmp.Or(e.in.closed, "a key has no colon behind it on its line")
		return
	}
	r.pass(at)
	r.done = at + 1
}

// dash reads that of an item, and gives its column.
func (r *reader) dash(e *entry) int {
	at := r.blanks(r.done)
	if !strings.HasPrefix(r.text[at:], "-") {
		r.refuse(at, "the dash of an item is not found")
		return 0
	}
	r.pass(at)
	r.done = at + 1
	e.keyBegin, e.keyEnd = at, at+1
	return at - r.lines.of(at).begin
}

// extent of an entry of a block, when what was read before it ended at an offset. Comments belong
//
//   - directly above a key, at its column, to that entry;
//   - behind an entry, when they are indented deeper than its key, to it;
//   - directly below an entry, when something else follows and they do not belong to that, to the entry above.
//
// What follows on the last entry otherwise belongs to the whole.
func (r *reader) extent(out *node, e *entry, before int) {
	above := r.lines.at(e.keyBegin)
	begin := r.lines[above].begin
	e.col = e.keyBegin - begin
	e.behindDash = strings.Trim(r.text[begin:e.keyBegin], " ") != ""
	if e.begin = e.keyBegin; !e.behindDash {
		for above > 0 && r.lines[above-1].begin >= before && r.lines[above-1].what == '#' && r.lines[above-1].col == e.col {
			above--
		}
		e.begin = r.lines[above].begin
		if len(out.entries) > 1 {
			r.below(out.entries[len(out.entries)-2], above)
		}
	}
	e.end = e.value.end
	if e.value.flow || e.value.kind == scalar || e.value.kind == alias {
		e.end = r.lines.after(max(r.done, e.value.end))
	}
	for i := r.lines.at(e.end); e.end == r.lines[i].begin; { // deeper ones
		next := r.lines[i].next
		if r.lines[next].what != '#' || r.lines[next].col <= e.col {
			break
		}
		i = next + 1
		e.end = r.lines[i].begin
	}
	r.pass(e.end)
	first := out.entries[0]
	if out.begin, out.end, out.col = first.begin, e.end, first.col; e.col != out.col {
		out.closed = cmp.Or(out.closed, "the keys of a mapping do not stand one below the other")
	}
}

// below gives an entry the comments directly below it, up to a line that belongs to the next.
func (r *reader) below(e *entry, limit int) {
	for i := r.lines.at(e.end); i < limit && e.end == r.lines[i].begin && r.lines[i].what == '#'; i++ {
		e.end = r.lines[i+1].begin
	}
}
