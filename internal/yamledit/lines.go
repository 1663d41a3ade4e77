package yamledit

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// breaks are the line ends of YAML 1.1; a carriage return and a line feed together are one. white is the white space
// between values.
const (
	breaks = "\n\r\u0085\u2028\u2029"
	white  = " \t" + breaks
)

// lines are the lines of a text. The last one is empty, at the end of the text.
type lines []line

type line struct {
	begin, end int  // without the line end
	col        int  // column of the first character that is not white space
	first      byte // this character, or 0 in a blank line
	next       int  // index of the first line, from this one on, that is not blank
}

// splitLines splits a text into lines. More than maxNodes lines are an error.
func splitLines(text string) (lines, error) {
	all := make(lines, 0, min(strings.Count(text, "\n")+2, maxNodes+1))
	for begin := 0; begin < len(text); {
		if len(all) == maxNodes {
			return nil, notEditable(0, "it has more than %d lines", maxNodes)
		}
		end, next := lineEnd(text, begin)
		l := line{begin: begin, end: end}
		if content := strings.TrimLeft(text[begin:end], " \t"); content != "" {
			l.col, l.first = end-begin-len(content), content[0]
		}
		all = append(all, l)
		begin = next
	}
	last := len(all)
	all = append(all, line{begin: len(text), end: len(text), next: last})
	for i := last - 1; i >= 0; i-- {
		all[i].next = i
		if all[i].first == 0 {
			all[i].next = all[i+1].next
		}
	}
	return all, nil
}

// indexAt returns the index of the line that contains an offset.
func (l lines) indexAt(offset int) int {
	return max(sort.Search(len(l), func(i int) bool { return l[i].begin > offset })-1, 0)
}

// lineAt returns the line that contains an offset.
func (l lines) lineAt(offset int) line { return l[l.indexAt(offset)] }

// nextLineBegin returns the beginning of the line after the one that contains an offset.
func (l lines) nextLineBegin(offset int) int { return l[min(l.indexAt(offset)+1, len(l)-1)].begin }

// lineEnd returns the end of the line that contains an offset, and the beginning of the next line.
func lineEnd(text string, at int) (end, next int) {
	for end = at; end < len(text); end++ {
		if c := text[end]; c < ' ' || c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(text[end:])
			switch {
			case strings.HasPrefix(text[end:], "\r\n"):
				return end, end + 2
			case strings.ContainsRune(breaks, r):
				return end, end + size
			}
		}
	}
	return end, end
}
