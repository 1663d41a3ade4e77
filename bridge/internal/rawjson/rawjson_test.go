package rawjson

import (
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

func TestMembers(t *testing.T) {
	const object = ` { "a" : 1 , "b\u0062":"x\"}", "c":[1,{"d":"]"}],"e":{},"f":null,"g":-1.5e3 } `
	members, err := Members([]byte(object))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range members {
		got = append(got, m.Name+"="+string(m.Value))
	}
	want := []string{"a=1", `bb="x\"}"`, `c=[1,{"d":"]"}]`, "e={}", "f=null", "g=-1.5e3"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if value := Get(members, "g"); string(value) != "-1.5e3" {
		t.Errorf("g is %s", value)
	}
}

func TestGetPath(t *testing.T) {
	for text, want := range map[string]string{
		`{"metadata":{"resourceVersion":"7","a":1}}`: `"7"`,
		`{"metadata":{"resourceVersion":null}}`:      `null`,
		`{"metadata":{"a":"7"}}`:                     ``,
		`{"metadata":null}`:                          ``,
		`{"metadata":["7"]}`:                         ``,
		`{"resourceVersion":"7"}`:                    ``,
		`[]`:                                         ``,
	} {
		if got := GetPath([]byte(text), "metadata", "resourceVersion"); string(got) != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, text := range []string{
		``, `null`, `[]`, `{`, `{"a"`, `{"a":`, `{"a":}`, `{"a":1`, `{a:1}`, `{,}`, `{"a":"x}`,
		`{"a":[1}`, `{]`, `{"a":]}`, `{"a":1,"\u0061":2}`,
		`{"a":1` + strings.Repeat(`,"a":2`, 100) + `}`,
	} {
		if members, err := Members([]byte(text)); err == nil {
			t.Errorf("%s: %v", text, members)
		}
	}
	for _, text := range []string{``, `{}`, `[`, `[1`, `[1,`, `["a]`, `[}`, `[,]`} {
		if items, err := Items([]byte(text)); err == nil {
			t.Errorf("%s: %q", text, items)
		}
	}
}

func TestEdit(t *testing.T) {
	const object = `{"spec":{"list":[{"a":1},{"b":2},null]},"other":[ 1 ]}`
	edit := func(text []byte) ([]byte, error) { return append([]byte("1"), text...), nil }
	got, err := Edit([]byte(object), []string{"spec", "list", EachItem, "a"}, edit)
	if want := `{"spec":{"list":[{"a":11},{"b":2},null]},"other":[ 1 ]}`; err != nil || string(got) != want {
		t.Errorf("%v: got %s, want %s", err, got, want)
	}
	for path, want := range map[string]string{
		"spec.list.[].a.b": "spec.list[0].a: must be an object",
		"other.[].x":       "other[0]: must be an object",
		"spec.[]":          "spec: must be a list",
	} {
		if _, err := Edit([]byte(object), strings.Split(path, "."), edit); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

func TestStringsRoundTrip(t *testing.T) {
	for _, content := range []string{"", "a", `"\`, "\u0000\n", "ä€", "\u2028", "<&>"} {
		text := Quote(content)
		if got := String(text); got != content || !json.Valid(text) {
			t.Errorf("%q: %s is %q", content, text, got)
		}
	}
}

// TestReaderFindsTheSameValues as encoding/json, in whichever parts a stream arrives.
func TestReaderFindsTheSameValues(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var want []string
		var stream strings.Builder
		for range 1 + random.IntN(5) {
			text, _ := json.Marshal(map[string]any{"a": randomValue(random, 4)})
			want = append(want, string(text))
			stream.WriteString(string(text) + []string{"", "\n", " \t\r\n"}[random.IntN(3)])
		}
		for _, from := range []io.Reader{
			strings.NewReader(stream.String()), iotest.OneByteReader(strings.NewReader(stream.String())),
			iotest.DataErrReader(strings.NewReader(stream.String())),
		} {
			r := NewReader(from, 1<<20, 512)
			var got []string
			for {
				value, err := r.Value()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(value))
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("got %q, want %q", got, want)
			}
		}
	}
}

func randomValue(random *rand.Rand, depth int) any {
	switch n := random.IntN(8); {
	case n == 0:
		return nil
	case n == 1:
		return random.Float64()
	case n == 2 || depth == 0:
		return strings.Repeat(`\"{}[],: ä`, random.IntN(3))
	case n == 3:
		return random.IntN(2) == 0
	case n < 6:
		list := []any{}
		for range random.IntN(4) {
			list = append(list, randomValue(random, depth-1))
		}
		return list
	}
	object := map[string]any{}
	for range random.IntN(4) {
		object[string(rune('a'+random.IntN(26)))+`"`] = randomValue(random, depth-1)
	}
	return object
}

func TestReaderOfAList(t *testing.T) {
	const list = `{"kind":"List", "items":[ {"a":1}, 2 ,true,"x"], "empty":[], "none":{} }`
	r := NewReader(iotest.OneByteReader(strings.NewReader(list)), 1<<20, 64)
	var got []string
	err := r.Members(func(name string) error {
		got = append(got, name)
		if c, err := r.Peek(); err != nil || c != '[' {
			_, err := r.Value()
			return err
		}
		return r.Items(func() error {
			item, err := r.Value()
			got = append(got, string(item))
			return err
		})
	})
	want := []string{"kind", "items", `{"a":1}`, "2", "true", `"x"`, "empty", "none"}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: got %q, want %q", err, got, want)
	}
}

func TestReaderEnds(t *testing.T) {
	for stream, want := range map[string]error{
		``: io.EOF, ` `: io.EOF, `{"a":1`: io.ErrUnexpectedEOF, `"a`: io.ErrUnexpectedEOF, `]`: errSyntax, `,`: errSyntax,
		`{"a":"` + strings.Repeat("x", 1<<20) + `"}`: ErrTooLarge,
	} {
		if _, err := NewReader(strings.NewReader(stream), 1<<20, 512).Value(); !errors.Is(err, want) {
			t.Errorf("%.20s: %v, want %v", stream, err, want)
		}
	}
}

// FuzzMembers never panics, and splits valid JSON so that its parts make the same value.
func FuzzMembers(f *testing.F) {
	for _, text := range []string{`{"a":[1,{"b":"}"}],"c":null}`, `{`, `{"a":]}`, `{"a":1,}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		_, _ = Items(text)
		members, err := Members(text)
		var want, got map[string]any
		if json.Unmarshal(text, &want) != nil || want == nil {
			return
		}
		if errors.Is(err, errDuplicate) {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if err := json.Unmarshal(Object(members), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v: got %v, want %v", err, got, want)
		}
	})
}
