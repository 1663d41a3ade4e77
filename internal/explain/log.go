package explain

import (
	"fmt"
	"strings"
)

// Found in a log: the answer to its first error that is known.
type Found struct {
	Answer
	// Line is the number of the line that has it, and Text what it says, which may tell a terminal what to do; 0 where there is but one line, or all of them make one text.
	Line int
	Text string
	// Others are the other errors that are known, each where it is first.
	Others []Other
}

// Other error of a log, and how many lines have it.
type Other struct {
	Name        string
	Line, Lines int
}

// wrapped lines may belong to the one before them.
const wrapped = 3

// Log of many lines, each of which speaks for itself; what a terminal wrapped is one text.
func Log(content string) (found Found, known bool) {
	lines := strings.Split(strings.TrimRight(content, "\n"), "\n")
	answers := make([]*Answer, len(lines)) // those of lines that have a word of each error, which are few
	for i, line := range lines {
		if strings.Contains(line, "esource") || strings.Contains(line, "evice") || strings.Contains(line, "DRA") || strings.Contains(line, "config") {
			if a, known := Text(line); known {
				answers[i] = &a
			}
		}
	}
	at := map[string]int{} // of Others, from 1
	for i, a := range answers {
		if a == nil {
			continue
		}
		end := i + 1
		for end < min(len(lines), i+wrapped) && answers[end] == nil {
			end++
		}
		if !known || at[a.Name] == 0 && a.Name != found.Name {
			if joined, ok := Text(strings.Join(lines[i:end], "\n")); ok && joined.Name != a.Name {
				a = &joined
			}
		}
		switch other := at[a.Name]; {
		case !known:
			found, known = Found{Answer: *a, Line: i + 1, Text: strings.TrimSpace(lines[i])}, true
		case a.Name == found.Name:
		case other > 0:
			found.Others[other-1].Lines++
		default:
			found.Others = append(found.Others, Other{a.Name, i + 1, 1})
			at[a.Name] = len(found.Others)
		}
	}
	if !known {
		found.Answer, known = Text(content)
	}
	if len(lines) == 1 {
		found.Line = 0
	}
	return found, known
}

// shown of a line are so many characters.
const shown = 300

func (f Found) String() (said string) {
	if f.Line > 0 {
		said = fmt.Sprintf("Line %d: %s\n\n", f.Line, cut(f.Text))
	}
	said += f.Answer.String()
	if n := len(f.Others); n > 0 {
		said += fmt.Sprintf("\n%d more %s about versions:\n", n, map[bool]string{true: "error", false: "errors"}[n == 1])
	}
	for _, o := range f.Others {
		said += fmt.Sprintf("  line %d", o.Line)
		if o.Lines > 1 {
			said += fmt.Sprintf(" and %d more", o.Lines-1)
		}
		said += ": " + o.Name + "\n"
	}
	return said
}

func cut(line string) string {
	if runes := []rune(line); len(runes) > shown {
		return string(runes[:shown]) + "..."
	}
	return line
}
