package hub

import (
	"slices"
	"strings"
	"testing"
)

// inWords describes a delta: a number is an index in the visible list, = is a whole item.
func inWords(d delta[string]) string {
	var items []string
	for _, item := range d {
		if item.Visible != nil {
			items = append(items, string(rune('0'+*item.Visible)))
		} else {
			items = append(items, "="+*item.Item)
		}
	}
	return strings.Join(items, " ")
}

// A delta names each item of the visible list once.
func TestDelta(t *testing.T) {
	key := func(s *string) string { return *s }
	for name, test := range map[string]struct {
		visible, want []string
		delta         string
	}{
		"the same":                     {[]string{"a", "b"}, []string{"a", "b"}, "0 1"},
		"another order":                {[]string{"a", "b"}, []string{"b", "a"}, "1 0"},
		"something else":               {[]string{"a"}, []string{"b", "a", "c"}, "=b 0 =c"},
		"equal ones one after another": {[]string{"a", "a", "b"}, []string{"a", "a", "a"}, "0 1 =a"},
		"one again":                    {[]string{"a", "b"}, []string{"a", "b", "a"}, "0 1 =a"},
		"nothing":                      {[]string{"a"}, []string{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDelta(test.visible, test.want, key)
			if got := inWords(d); got != test.delta {
				t.Errorf("%q, want %q", got, test.delta)
			}
			if got, ok := d.apply(test.visible, len(d)); !ok || !slices.Equal(got, test.want) {
				t.Errorf("applied: %q, %v, want %q", got, ok, test.want)
			}
		})
	}
	item, places := "a", [2]int{-1, 1}
	for name, d := range map[string]delta[string]{
		"an item of no list":     {{Visible: &places[1]}},
		"an item before a list":  {{Visible: &places[0]}},
		"nothing":                {{}},
		"more than there may be": {{Item: &item}, {Item: &item}, {Item: &item}},
	} {
		if _, ok := d.apply([]string{"a"}, 2); ok {
			t.Errorf("a delta that names %s was applied", name)
		}
	}
}
