package splice

import (
	"bytes"
	"fmt"
	"sort"
	"unicode/utf8"
)

// lines of a text, cut as YAML 1.1 cuts them: also at NEL, LS and PS. The last one is empty, where the text ends.
type lines []line

type line struct {
	begin, end int  // without the line end
	col        int  // of the first character that is no white space
	what       byte // this character, 0 in a blank line
	next       int  // index of the first line from this one on that is not blank
}

// cut a text into lines, unless it has more than maxNodes: one of claims has but half as many as it has values.
func cut(text []byte) (lines, error) {
	all := make(lines, 0, min(bytes.Count(text, []byte("\n"))+2, maxNodes+1))
	for begin := 0; begin < len(text); {
		if len(all) == maxNodes {
			return nil, &NotInPlaceError{Reason: fmt.Sprintf("it has more than %d lines", maxNodes)}
		}
		l := line{begin: begin, end: lineEnd(text, begin)}
		if content := bytes.TrimLeft(text[begin:l.end], " \t"); len(content) > 0 {
			l.col, l.what = l.end-begin-len(content), content[0]
		}
		all = append(all, l)
		begin = l.end + breakAt(text, l.end)
	}
	last := len(all)
	all = append(all, line{begin: len(text), end: len(text), next: last})
	for i := last - 1; i >= 0; i-- {
		if all[i].next = i; all[i].what == 0 {
			all[i].next = all[i+1].next
		}
	}
	return all, nil
}

// at gives the index of the line that an offset is on.
func (l lines) at(offset int) int {
	return max(sort.Search(len(l), func(i int) bool { return l[i].begin > offset })-1, 0)
}

// of an offset.
func (l lines) of(offset int) line { return l[l.at(offset)] }

// after gives where the line behind that of an offset begins.
func (l lines) after(offset int) int { return l[min(l.at(offset)+1, len(l)-1)].begin }

// lineEnd gives where the line of an offset ends.
func lineEnd(text []byte, at int) int {
	for at < len(text) && breakAt(text, at) == 0 {
		at++
	}
	return at
}

// breakAt gives the length of the line end at an index, or 0. Behind the text there is none.
func breakAt(text []byte, i int) int {
	if i < len(text) && ' ' <= text[i] && text[i] < utf8.RuneSelf {
		return 0
	}
	for _, end := range [...]string{"\n", "\r\n", "\r", "\u0085", "\u2028", "\u2029"} {
		if len(text)-i >= len(end) && text[i] == end[0] && string(text[i:i+len(end)]) == end {
			return len(end)
		}
	}
	return 0
}
