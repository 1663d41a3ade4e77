package migrate

import (
	"cmp"
	"slices"
)

// Edit replaces the bytes from Begin to End of a text.
type Edit struct {
	Begin, End int
	Text       []byte
}

// ApplyEdits returns a text with edits applied. The edits must be in the order of the text, and must not overlap.
func ApplyEdits(text []byte, edits []Edit) []byte {
	if len(edits) == 0 {
		return text
	}
	out := make([]byte, 0, len(text)+64*len(edits))
	at := 0
	for _, e := range edits {
		out = append(append(out, text[at:e.Begin]...), e.Text...)
		at = e.End
	}
	return append(out, text[at:]...)
}

// outermost returns edits in the order of the text, without those within others.
func outermost(edits []Edit) []Edit {
	slices.SortFunc(edits, func(a, b Edit) int { return cmp.Or(a.Begin-b.Begin, b.End-a.End) })
	end := 0
	return slices.DeleteFunc(edits, func(e Edit) bool {
		isWithin := e.End <= end
		end = max(end, e.End)
		return isWithin
	})
}
