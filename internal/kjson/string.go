package kjson

import (
	"encoding/binary"
	"math/bits"
	"strconv"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"
)

// Text is where a string stands: the bytes between its quotes.
type Text struct {
	Begin, End int
	// Escaped is set when there is a backslash in it, Foreign when there is a byte above ASCII.
	Escaped, Foreign bool
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special marks the bytes of a word that end a run of plain text: quotes, backslashes and control characters. Only the
// lowest mark is sure. No byte above ASCII is any of them.
func special(w uint64) uint64 {
	quote, backslash := w^ones*('"'^' '), w^ones*'\\' // a quote is a blank now, and a control character still one
	return ((quote - ones*'!') | (backslash - ones)) &^ w & highs
}

// plainRun gives the index of the first byte from i on that is a quote, a backslash or a control character, and
// whether a byte above ASCII comes before it.
func plainRun(data []byte, i int) (end int, foreign bool) {
	seen := uint64(0)
	for i+8 <= len(data) {
		w := binary.LittleEndian.Uint64(data[i:])
		if mark := special(w); mark != 0 {
			before := w & (mark ^ (mark - 1)) // and the byte itself, which is not above ASCII
			return i + bits.TrailingZeros64(mark)/8, (seen|before)&highs != 0
		}
		seen |= w
		i += 8
	}
	for ; i < len(data); i++ {
		c := data[i]
		if c == '"' || c == '\\' || c < ' ' {
			break
		}
		seen |= uint64(c)
	}
	return i, seen&highs != 0
}

// String reads a string and reports where it stands.
func (s *Scanner) String() (t Text) {
	if s.failed || s.peek() != '"' {
		s.no()
		return t
	}
	end, escaped, foreign := endOfString(s.data, s.pos+1)
	if end < 0 {
		s.no()
		return t
	}
	t = Text{Begin: s.pos + 1, End: end - 1, Escaped: escaped, Foreign: foreign}
	s.pos = end
	return t
}

// endOfString gives the index behind the quote that ends a string, and what there is in the string.
// Where it cannot go on the index is negative: the complement of where that is.
func endOfString(data []byte, i int) (end int, escaped, foreign bool) {
	if i, foreign = plainRun(data, i); i < len(data) && data[i] == '"' {
		return i + 1, false, foreign
	}
	return endOfEscaped(data, i, foreign)
}

// endOfEscaped goes on where the first run of plain text ended by something else than a quote.
func endOfEscaped(data []byte, i int, foreign bool) (int, bool, bool) {
	for i < len(data) && data[i] == '\\' {
		next := afterEscape(data, i)
		if next < 0 {
			return ^i, true, foreign
		}
		var more bool
		i, more = plainRun(data, next)
		foreign = foreign || more
	}
	if i >= len(data) || data[i] != '"' {
		return ^i, true, foreign
	}
	return i + 1, true, foreign
}

// afterEscape gives the index behind an escape sequence, or -1.
func afterEscape(data []byte, i int) int {
	if i+1 >= len(data) {
		return -1
	}
	switch data[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		if i+6 <= len(data) {
			if _, err := strconv.ParseUint(View(data[i+2:i+6]), 16, 16); err == nil {
				return i + 6
			}
		}
	}
	return -1
}

// StringOf reads a value that is a string, which may share memory with it; anything but a string is "".
func StringOf(value []byte) string {
	if len(value) == 0 || value[0] != '"' {
		return ""
	}
	s := New(value)
	if t := s.String(); !t.Escaped && !t.Foreign {
		return View(value[t.Begin:t.End])
	}
	unquoted, _ := AppendUnquoted(nil, value)
	return View(unquoted)
}

// Quote writes a string as JSON; what is no UTF-8 becomes U+FFFD.
func Quote(s string) []byte { return AppendQuoted(nil, s) }

// View is a part of a text as a string that shares its memory.
func View(part []byte) string { return unsafe.String(unsafe.SliceData(part), len(part)) }

// BytesOf is the other way; the bytes must not be changed.
func BytesOf(text string) []byte { return unsafe.Slice(unsafe.StringData(text), len(text)) }

// AppendQuoted writes a string as JSON, with as few escapes as can be. What is no UTF-8 becomes U+FFFD.
func AppendQuoted(out []byte, text string) []byte {
	if end, foreign := plainRun(BytesOf(text), 0); end == len(text) && !foreign {
		return append(append(append(out, '"'), text...), '"')
	}
	out, _ = jsontext.AppendQuote(out, text) // its one error is what is no UTF-8
	return out
}

// AppendUnquoted decodes a JSON string, quotes included, that was read before. What is no UTF-8, and halves of
// surrogate pairs, become U+FFFD; ok is false when there are some.
func AppendUnquoted(out, quoted []byte) (_ []byte, ok bool) {
	out, err := jsontext.AppendUnquote(out, quoted)
	return out, err == nil
}
