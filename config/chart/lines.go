package main

import "slices"

// hunk is where a text differs from another one: lines from up to to of that one are lines here.
type hunk struct {
	from, to int
	lines    []string
}

// hunks that make b of a, in order. Texts here have some thousand lines and differ in few, so the table of all pairs is small once what both
// begin and end with is left out.
func hunks(a, b []string) (all []hunk) {
	begin := 0
	for begin < len(a) && begin < len(b) && a[begin] == b[begin] {
		begin++
	}
	end := 0
	for end < len(a)-begin && end < len(b)-begin && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	a, b = a[begin:len(a)-end], b[begin:len(b)-end]
	longest := common(a, b)
	add := func(h hunk) {
		if last := len(all) - 1; last >= 0 && all[last].to == h.from {
			all[last].to, all[last].lines = h.to, append(all[last].lines, h.lines...)
			return
		}
		all = append(all, h)
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && longest[i+1][j] >= longest[i][j+1]:
			add(hunk{from: begin + i, to: begin + i + 1})
			i++
		default:
			add(hunk{from: begin + i, to: begin + i, lines: []string{b[j]}})
			j++
		}
	}
	return all
}

// common lengths: of the longest list of lines that a from i on and b from j on share, in order.
func common(a, b []string) [][]int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
	}
	for i, line := range slices.Backward(a) {
		for j, other := range slices.Backward(b) {
			if line == other {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}

// patch lines from up to to of a text by those of its hunks that are within.
func patch(text []string, from, to int, all []hunk) (patched []string) {
	for _, h := range all {
		if h.from < from || h.to > to {
			continue
		}
		patched = append(append(patched, text[from:h.from]...), h.lines...)
		from = h.to
	}
	return append(patched, text[from:to]...)
}
