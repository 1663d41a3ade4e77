package splice

import (
	"bytes"

	"go.yaml.in/yaml/v3"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
)

// collection reads a mapping or a sequence, in brackets or as a block, whose entries have so many parts: a key and a value, or a value.
func (r *reader) collection(out *node, parts []*yaml.Node, step, indent int) {
	closing := byte('}')
	if out.kind == sequence {
		closing = ']'
	}
	bare := out.begin >= len(r.text) || r.text[out.begin] != closing-2
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
		case out.flow && step == 2:
			r.key(e, parts[i], col)
		case step == 2:
			col = parts[i].Column - 1
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
	switch {
	case !out.flow:
		r.block(out)
	case !bare:
		r.close(out, closing)
	}
	if out.flow {
		out.end = r.done
	}
	r.sum(out)
}

// close reads the end of brackets.
func (r *reader) close(out *node, closing byte) {
	end := r.blanks(r.done)
	if end < len(r.text) && r.text[end] == ',' {
		end = r.blanks(end + 1)
	}
	if end >= len(r.text) || r.text[end] != closing {
		r.refuse(out.begin, "the end of brackets is not found")
		return
	}
	r.pass(end)
	r.done = end + 1
}

// key reads a key and its colon.
func (r *reader) key(e *entry, key *yaml.Node, indent int) {
	name := r.node(key, nil, indent)
	e.key, e.keyBegin, e.keyEnd = key.Value, name.from, r.done
	target := key
	if key.Kind == yaml.AliasNode {
		target = key.Alias
		e.key = target.Value
	}
	switch {
	case target.Kind != yaml.ScalarNode || name.kind == scalar && !name.isText:
		e.in.close("a key is not a string")
	case manifest.IsMergeKey(key):
		e.merge = true
	}
	at := r.done
	for at < len(r.text) && (r.text[at] == ' ' || r.text[at] == '\t' || e.in.flow && breakAt(r.text, at) > 0) {
		at++
	}
	if at < len(r.text) && r.text[at] == ':' {
		r.pass(at)
		r.done = at + 1
	} else {
		e.in.close("a key has no colon behind it on its line")
	}
}

// dash reads that of an item, and gives its column.
func (r *reader) dash(e *entry) int {
	at := r.blanks(r.done)
	if at+1 >= len(r.text) || r.text[at] != '-' {
		r.refuse(at, "the dash of an item is not found")
		return 0
	}
	r.pass(at)
	r.done = at + 1
	e.keyBegin, e.keyEnd = at, at+1
	return at - r.lines.of(at).begin
}

// block ends one of which all entries were read.
func (r *reader) block(out *node) {
	if len(out.entries) == 0 {
		r.refuse(out.begin, "a block has no entries")
		return
	}
	first := out.entries[0]
	out.begin, out.end, out.col = first.begin, out.entries[len(out.entries)-1].end, first.col
	for _, e := range out.entries {
		if e.col != out.col {
			out.close("the keys of a mapping do not stand one below the other")
		}
	}
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
	e.behindDash = len(bytes.Trim(r.text[begin:e.keyBegin], " ")) > 0
	if e.begin = e.keyBegin; !e.behindDash {
		for above > 0 && r.lines[above-1].begin >= before && r.isComment(above-1) && r.lines[above-1].col == e.col {
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
		if !r.isComment(next) || r.lines[next].col <= e.col {
			break
		}
		i = next + 1
		e.end = r.lines[i].begin
	}
	r.pass(e.end)
}

// below gives an entry the comments directly below it, up to a line that belongs to the next.
func (r *reader) below(e *entry, limit int) {
	for i := r.lines.at(e.end); i < limit && e.end == r.lines[i].begin && r.isComment(i); i++ {
		e.end = r.lines[i+1].begin
	}
}

func (r *reader) isComment(line int) bool { return r.lines[line].what == '#' }
