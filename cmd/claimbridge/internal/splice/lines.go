package splice

import (
	"bytes"
	"fmt"
	"sort"
)

// lines of a text, cut as YAML 1.1 cuts them: also at NEL, LS and PS.
type lines struct {
	begins []int // and the end of the text
	marks  []mark
	// next is, for each line, the first one from it on that is not blank.
	next []int
}

// mark is how a line begins.
type mark struct {
	col  int  // of the first character that is not a space
	what byte // '#', 0 of a blank line, or 'x'
}

// cut a text into lines, unless it has more than maxNodes: one of claims has but half as many as it has values.
func cut(text []byte) (lines, error) {
	about := min(bytes.Count(text, []byte("\n"))+2, maxNodes)
	l := lines{begins: make([]int, 0, about), marks: make([]mark, 0, about)}
	for begin := 0; begin < len(text); {
		if len(l.begins) == maxNodes {
			return l, &NotInPlaceError{Reason: fmt.Sprintf("it has more than %d lines", maxNodes)}
		}
		end := begin
		for end < len(text) && breakAt(text, end) == 0 {
			end++
		}
		l.begins = append(l.begins, begin)
		l.marks = append(l.marks, markOf(text[begin:end]))
		begin = end + breakAt(text, end)
	}
	l.next = make([]int, len(l.begins)+1)
	l.next[len(l.begins)] = len(l.begins)
	for i := len(l.begins) - 1; i >= 0; i-- {
		if l.next[i] = i; l.marks[i].what == 0 {
			l.next[i] = l.next[i+1]
		}
	}
	l.begins = append(l.begins, len(text))
	return l, nil
}

func markOf(line []byte) mark {
	for i, c := range line {
		switch c {
		case ' ', '\t':
		case '#':
			return mark{i, '#'}
		default:
			return mark{i, 'x'}
		}
	}
	return mark{}
}

// breakAt gives the length of the line end at an index, or 0. Behind the text there is none.
func breakAt(text []byte, i int) int {
	if i >= len(text) {
		return 0
	}
	switch text[i] {
	case '\n':
		return 1
	case '\r':
		if i+1 < len(text) && text[i+1] == '\n' {
			return 2
		}
		return 1
	case 0xc2:
		if i+1 < len(text) && text[i+1] == 0x85 {
			return 2
		}
	case 0xe2:
		if i+2 < len(text) && text[i+1] == 0x80 && (text[i+2] == 0xa8 || text[i+2] == 0xa9) {
			return 3
		}
	}
	return 0
}

// at gives the index of the line that an offset is on.
func (l lines) at(offset int) int {
	return max(sort.SearchInts(l.begins, offset+1)-1, 0)
}

// after gives where the line behind that of an offset begins.
func (l lines) after(offset int) int {
	if i := l.at(offset) + 1; i < len(l.begins) {
		return l.begins[i]
	}
	return l.begins[len(l.begins)-1]
}

// comment reports whether a line is one, and at which column.
func (l lines) comment(i int) (col int, is bool) {
	if i < 0 || i >= len(l.marks) {
		return 0, false
	}
	return l.marks[i].col, l.marks[i].what == '#'
}
