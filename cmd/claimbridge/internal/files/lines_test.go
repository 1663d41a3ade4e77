package files

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// put lines into the places of others, from the end on.
func put(was string, all []Lines) string {
	lines := strings.SplitAfter(string(ended([]byte(was))), "\n")
	for i := len(all) - 1; i >= 0; i-- {
		l := all[i]
		last := lines[l.Last-1]
		end := last[len(strings.TrimRight(last, "\r\n")):]
		lines = append(lines[:l.First-1:l.First-1], append([]string{string(l.Text) + end}, lines[l.Last:]...)...)
	}
	return strings.Join(lines, "")
}

func TestReplacedLines(t *testing.T) {
	for name, test := range map[string]struct {
		was, is string
		want    []Lines
	}{
		"nothing":                 {"a\nb\n", "a\nb\n", nil},
		"a line":                  {"a\nb\nc\n", "a\nB\nc\n", []Lines{{2, 2, []byte("B")}}},
		"lines far apart":         {"a\n1\n2\n3\n4\n5\n6\n7\n8\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\n8\nB\nC\n", []Lines{{1, 1, []byte("A")}, {10, 10, []byte("B\nC")}}},
		"a line that is put in":   {"a\nb\n", "a\nc\nb\n", []Lines{{1, 1, []byte("a\nc")}}},
		"a line at the top":       {"a\nb\n", "c\na\nb\n", []Lines{{1, 1, []byte("c\na")}}},
		"a line that goes":        {"a\nb\nc\n", "a\nc\n", []Lines{{1, 2, []byte("a")}}},
		"a line at the top goes":  {"a\nb\n", "b\n", []Lines{{1, 2, []byte("b")}}},
		"no line end":             {"a\nb", "a\nB", []Lines{{2, 2, []byte("B")}}},
		"line ends of Windows":    {"a\r\nb\r\n", "a\r\nB\r\nC\r\n", []Lines{{2, 2, []byte("B\r\nC")}}},
		"a line on both sides":    {"a\n", "b\na\nc\n", []Lines{{1, 1, []byte("b\na\nc")}}},
		"from nothing to nothing": {"", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := Replaced([]byte(test.was), []byte(test.is))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(string(ended([]byte(test.is))), put(test.was, got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReplacedLinesGiveTheText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	some := func() []byte {
		var b bytes.Buffer
		for range 1 + random.IntN(30) {
			b.WriteString(string(rune('a'+random.IntN(4))) + "\n")
		}
		return b.Bytes()
	}
	for range 5000 {
		was, is := some(), some()
		all := Replaced(was, is)
		for i := 1; i < len(all); i++ {
			if all[i].First <= all[i-1].Last {
				t.Fatalf("%q to %q: %v overlap", was, is, all)
			}
		}
		if got := put(string(was), all); got != string(is) {
			t.Fatalf("%q to %q: %q", was, is, got)
		}
	}
}
