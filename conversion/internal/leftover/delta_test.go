package leftover

import (
	"slices"
	"strings"
	"testing"
)

// inWords says what a delta says: a number is a place in the native list, = is an item that is given whole.
func inWords(d Delta[string]) string {
	var items []string
	for _, item := range d {
		if item.Native != nil {
			items = append(items, string(rune('0'+*item.Native)))
		} else {
			items = append(items, "="+*item.Item)
		}
	}
	return strings.Join(items, " ")
}

// A delta names each item of the native list once, and one again only when there is no other that is the same. What names
// items again makes no more than an object can hold.
func TestDelta(t *testing.T) {
	half := maxRepeated / 2
	key := func(s *string) string { return *s }
	for name, test := range map[string]struct {
		native, want []string
		size         int
		delta        string
	}{
		"the same":                      {[]string{"a", "b"}, []string{"a", "b"}, 1, "0 1"},
		"another order":                 {[]string{"a", "b"}, []string{"b", "a"}, 1, "1 0"},
		"something else":                {[]string{"a"}, []string{"b", "a", "c"}, 1, "=b 0 =c"},
		"equal ones one after another":  {[]string{"a", "a", "b"}, []string{"a", "a", "a"}, 1, "0 1 0"},
		"one again":                     {[]string{"a", "b"}, []string{"a", "b", "a"}, 1, "0 1 0"},
		"nothing":                       {[]string{"a"}, []string{}, 1, ""},
		"again as often as it may be":   {[]string{"a"}, []string{"a", "a", "a"}, half, "0 0 0"},
		"again more often":              {[]string{"a"}, []string{"a", "a", "a", "a"}, half, "0 0 0 =a"},
		"big ones, each once":           {[]string{"a", "b"}, []string{"a", "b"}, maxRepeated + 1, "0 1"},
		"more than an API server takes": {strings.Split(strings.Repeat("x", 64)+"a", ""), []string{"a", "x"}, 1, "p 0"},
	} {
		t.Run(name, func(t *testing.T) {
			size := func(*string) int { return test.size }
			d := Differ(test.native, test.want, key, size)
			if got := inWords(d); got != test.delta {
				t.Errorf("%q, want %q", got, test.delta)
			}
			if err := d.Check(test.native, len(d), size); err != nil {
				t.Error(err)
			}
			if got := d.Apply(test.native); !slices.Equal(got, test.want) {
				t.Errorf("applied: %q, want %q", got, test.want)
			}
		})
	}
	once := Differ([]string{"a"}, []string{"a", "a"}, key, nil)
	if got := inWords(once); got != "0 =a" {
		t.Errorf("where nothing is named again: %q", got)
	}
	place := 0
	if err := (Delta[string]{{Native: &place}, {Native: &place}}).Check([]string{"a"}, 2, nil); err == nil {
		t.Error("an item is named again where none may be")
	}
	thrice := Delta[string]{{Native: &place}, {Native: &place}, {Native: &place}}
	for size, refused := range map[int]bool{half: false, half + 1: true} {
		if err := thrice.Check([]string{"a"}, 3, func(*string) int { return size }); (err != nil) != refused {
			t.Errorf("three times %d bytes: %v", size, err)
		}
	}
}
