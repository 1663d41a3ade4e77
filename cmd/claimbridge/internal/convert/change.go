package convert

import (
	"cmp"
	"slices"
)

// change of a text: what stands from begin to end is replaced. All else stays as it is, byte for byte.
type change struct {
	begin, end int
	with       []byte
}

// changedText is a text with changes that are in its order.
func changedText(text []byte, changes []change) []byte {
	if len(changes) == 0 {
		return text
	}
	out := make([]byte, 0, len(text)+64*len(changes))
	at := 0
	for _, c := range changes {
		out = append(append(out, text[at:c.begin]...), c.with...)
		at = c.end
	}
	return append(out, text[at:]...)
}

// inOrder are changes in the order of the text, without those within others.
func inOrder(changes []change) []change {
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(a.begin-b.begin, b.end-a.end) })
	end := 0
	return slices.DeleteFunc(changes, func(c change) bool {
		within := c.end <= end
		end = max(end, c.end)
		return within
	})
}
