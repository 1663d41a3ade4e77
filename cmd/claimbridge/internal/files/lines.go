package files

import (
	"bytes"
	"fmt"

	"github.com/rogpeppe/go-internal/diff"
)

// Lines of a text, from the first to the last of them, both from 1, that others take the place of. The end of the last line stays.
type Lines struct {
	First, Last int
	Text        []byte
}

// Replaced are the lines in which a text is not what it was. What is only put in, or only taken out, has the line before with it, or
// behind it at the top, so that there is always something that is replaced. Where nothing is left, or nothing was, there are none.
func Replaced(was, is []byte) (all []Lines) {
	was, is = ended(was), ended(is)
	old := bytes.SplitAfter(was, []byte("\n"))
	number := 0 // of the last line that was passed
	var gone int
	var put []byte
	flush := func() {
		if gone == 0 && len(put) == 0 {
			return
		}
		first := number - gone + 1
		last := number
		if gone == 0 || len(put) == 0 {
			switch n := len(all); {
			case n > 0 && all[n-1].Last == first-1: // the line before belongs to the change before
				first, put = all[n-1].First, append(append(all[n-1].Text, '\n'), put...)
				all = all[:n-1]
			case first > 1:
				first--
				put = append(bytes.Clone(old[first-1]), put...)
			case last < len(old)-1:
				last++
				put = append(put, old[last-1]...)
			}
		}
		if len(put) > 0 && first <= last {
			all = append(all, Lines{first, last, bytes.TrimSuffix(bytes.TrimSuffix(put, []byte("\n")), []byte("\r"))})
		}
		gone, put = 0, nil
	}
	_, hunks, _ := bytes.Cut(diff.Diff("", was, "", is), []byte("\n@@ "))
	for line := range bytes.Lines(append([]byte("@@ "), hunks...)) {
		switch line[0] {
		case '-':
			number, gone = number+1, gone+1
		case '+':
			put = append(put, line[1:]...)
		case ' ':
			flush()
			number++
		default:
			flush()
			if _, err := fmt.Sscanf(string(line), "@@ -%d", &number); err == nil {
				number--
			}
		}
	}
	flush()
	return all
}

func ended(text []byte) []byte {
	if len(text) == 0 || text[len(text)-1] == '\n' {
		return text
	}
	return append(bytes.Clone(text), '\n')
}
