package main

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The hunks between two texts make one of the other, whatever they are.
func TestHunksMakeTheOther(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func() (lines []string) {
		for range random.IntN(12) {
			lines = append(lines, string(rune('a'+random.IntN(4)))+"\n")
		}
		return lines
	}
	for range 5000 {
		a, b := text(), text()
		if got := patch(a, 0, len(a), hunks(a, b)); !slices.Equal(got, b) {
			t.Fatalf("%q to %q: got %q by %v", a, b, got, hunks(a, b))
		}
	}
}

func TestMerge(t *testing.T) {
	lines := func(text string) []string {
		return slices.Collect(strings.Lines(strings.ReplaceAll(text, " ", "\n") + "\n"))
	}
	base := lines("a b c d e f")
	for name, test := range map[string]struct {
		axes []axis
		want string // or error
	}{
		"nothing to choose":            {nil, "a b c d e f"},
		"a line that is not there":     {[]axis{{{"x", base}, {"not x", lines("a b d e f")}}}, "a b {{- if x }} c {{- end }} d e f"},
		"a line that is there as well": {[]axis{{{"not x", base}, {"x", lines("a b c X d e f")}}}, "a b c {{- if x }} X {{- end }} d e f"},
		"one of three texts":           {[]axis{{{"1", base}, {"2", lines("a B c d e f")}, {"3", lines("a C c d e f")}}}, "a {{- if 1 }} b {{- else if 2 }} B {{- else }} C {{- end }} c d e f"},
		"two that are alike":           {[]axis{{{"1", base}, {"2", lines("a B c d e f")}, {"3", lines("a B c d e f")}}}, "a {{- if 1 }} b {{- else }} B {{- end }} c d e f"},
		"two that lack it":             {[]axis{{{"1", base}, {"2", lines("a c d e f")}, {"3", lines("a c d e f")}}}, "a {{- if 1 }} b {{- end }} c d e f"},
		"two choices side by side":     {[]axis{{{"x", base}, {"not x", lines("a c d e f")}}, {{"y", base}, {"not y", lines("a b d e f")}}}, "a {{- if x }} b {{- end }} {{- if y }} c {{- end }} d e f"},
		"another object as a whole":    {[]axis{{{"x", base}, {"not x", lines("1 2 3 d 5 6")}}}, "{{- if x }} a b c d e f {{- else }} 1 2 3 d 5 6 {{- end }}"},
		"two choices of one line":      {[]axis{{{"x", base}, {"not x", lines("a B c d e f")}}, {{"y", base}, {"not y", lines("a C c d e f")}}}, "error: two choices change the same line"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := merge(base, test.axes)
			if err != nil {
				got = "error: " + err.Error()
			}
			got = strings.ReplaceAll(strings.TrimSuffix(got, "\n"), "\n", " ")
			if strings.HasPrefix(test.want, "error: ") && strings.HasPrefix(got, test.want) {
				return
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A change of the manifests that an edit does not find is an error, not a chart without it.
func TestEditsThatFindNothing(t *testing.T) {
	if text, err := replace("a b a", "a", "c", 1); err == nil {
		t.Errorf("it is %q", text)
	}
	if text, err := replace("a b a", "a", "c", 2); err != nil || text != "c b c" {
		t.Errorf("it is %q, %v", text, err)
	}
}
