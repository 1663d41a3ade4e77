package kjson

import (
	"encoding/binary"
	"math/bits"
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

// endOfString gives the index behind the quote that ends a string, or -1, and what there is in the string.
func endOfString(data []byte, i int) (end int, escaped, foreign bool) {
	if i, foreign = plainRun(data, i); i < len(data) && data[i] == '"' {
		return i + 1, false, foreign
	}
	return endOfEscaped(data, i, foreign)
}

// endOfEscaped goes on where the first run of plain text ended by something else than a quote.
func endOfEscaped(data []byte, i int, foreign bool) (int, bool, bool) {
	for i < len(data) && data[i] == '\\' {
		if i = afterEscape(data, i); i < 0 {
			return -1, true, foreign
		}
		var more bool
		i, more = plainRun(data, i)
		foreign = foreign || more
	}
	if i >= len(data) || data[i] != '"' {
		return -1, true, foreign
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
		if i+6 > len(data) {
			return -1
		}
		for _, c := range data[i+2 : i+6] {
			if (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
				return -1
			}
		}
		return i + 6
	}
	return -1
}
