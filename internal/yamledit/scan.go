package yamledit

import (
	"strings"
	"unicode/utf8"
)

// reader reads the nodes of a document in the order of the text, up to the first error.
type reader struct {
	*source
	done int // offset up to which the text was read, with its comments
	// line and col, from 1, are the position of the offset pos, at which the last node began.
	line, col int
	pos       int
	nodes     int   // number of nodes that were read
	err       error // the first one
}

// reject records why a text is not edited, if nothing was recorded before.
func (r *reader) reject(at int, format string, args ...any) {
	if r.err == nil {
		r.err = notEditable(r.lineOf(at), format, args...)
	}
}

// seek returns the offset of a line and a column, in characters. It must be called in the order of the text.
func (r *reader) seek(line, col int) int {
	if line > r.line {
		r.line = line
		r.col = 1
		r.pos = r.lines[min(line, len(r.lines))-1].begin
	}
	if line < r.line || col < r.col {
		r.reject(r.pos, "the parser's positions are not in order")
	}
	for ; r.col < col && r.pos < len(r.text); r.col++ {
		_, size := utf8.DecodeRuneInString(r.text[r.pos:])
		r.pos += size
	}
	return r.pos
}

// advance reads the text between values up to an offset, and records the comments.
func (r *reader) advance(to int) {
	for r.done < to {
		begin := r.done
		switch r.text[begin] {
		case '#':
			r.done, _ = lineEnd(r.text, begin)
			text := strings.TrimRight(r.text[begin:r.done], " \t")
			r.comments = append(r.comments, comment{
				text: text, line: r.lineOf(begin), begin: begin, end: begin + len(text),
			})
		case '&', '!', '*', '%', '-', '.': // an anchor, a tag, a directive or a separator: a # in one is no comment
			for r.done < to && r.text[r.done] > ' ' {
				r.done++
			}
		default:
			r.done++
		}
	}
}

// accept reads the text up to an offset, and a token there. It returns false if the token is not there.
func (r *reader) accept(at int, token string) bool {
	if !strings.HasPrefix(r.text[at:], token) {
		return false
	}
	r.advance(at)
	r.done = at + len(token)
	return true
}

// skipProperties skips the properties of a value, which are its anchor and its tag. It returns the end of the
// properties and the beginning of the value.
func (r *reader) skipProperties(begin int) (propertiesEnd, valueBegin int) {
	end, at := begin, begin
	for at < len(r.text) && (r.text[at] == '&' || r.text[at] == '!') {
		for r.text[at] > ' ' && !strings.ContainsRune(",[]{}", rune(r.text[at])) {
			at++
		}
		end = at
		at = r.skipBlanks(end)
	}
	return end, at
}

// skipBlanks skips white space and comments.
func (r *reader) skipBlanks(at int) int {
	for {
		if at = r.skip(at, white); !strings.HasPrefix(r.text[at:], "#") {
			return at
		}
		at, _ = lineEnd(r.text, at)
	}
}

// skip skips the characters of a set. It returns the offset of the first other one.
func (r *reader) skip(at int, set string) int {
	return len(r.text) - len(strings.TrimLeft(r.text[at:], set))
}
